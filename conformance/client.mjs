// The client that the suite's client scenarios start: it does what the scenario named in
// MCP_CONFORMANCE_SCENARIO wants done, against the URL in its last argument.
//
//   node client.mjs direct|through|crossed URL
//
// direct: to the suite's server. through: by way of Callbound, whose only upstream it is. crossed:
// the same, but the client speaks the other generation of the protocol, so that nothing of what the
// scenario looks for can have come from the client. What the suite sees is Callbound in the last
// two.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startGateway } from './gateway.mjs';

const [way, url] = process.argv.slice(2);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

/** What each scenario needs to see; anything else is a scenario that this driver does not know. */
const drives = {
  initialize: list,
  tools_call: (client) => call(client, 'add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': (client) =>
    call(client, 'test_client_elicitation_defaults'),
  'sse-retry': (client) => call(client, 'test_reconnection'),
  'request-metadata': list,
  'json-schema-ref-no-deref': list,
  'sep-2322-client-request-state': callAll,
  'http-invalid-tool-headers': callAll,
  'http-standard-headers': async (client) => {
    await callAll(client);
    const { resources } = await client.listResources();
    for (const { uri } of resources) await client.readResource({ uri });
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) await client.getPrompt({ name });
  },
  'http-custom-headers': async (client) => {
    await list(client);
    for (const { name, arguments: args } of context.toolCalls) await call(client, name, args);
  },
};

function list(client) {
  return client.listTools();
}

async function call(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
}

/**
 * Calls every tool that the client is shown, with a text for every argument that it requires. A
 * call may fail: what counts is what the suite saw of it.
 */
async function callAll(client) {
  const { tools } = await client.listTools();
  for (const { name, inputSchema } of tools) {
    const args = Object.fromEntries((inputSchema.required ?? []).map((key) => [key, 'text']));
    await call(client, name, args).catch((error) => console.error(error));
  }
}

async function drive(target) {
  const old = revision < '2026-07-28';
  const speakOld = way === 'crossed' ? !old : old;
  const client = new Client(
    { name: 'callbound-conformance-client', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
      versionNegotiation: { mode: speakOld ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: params.requestedSchema?.properties?.confirmed ? { confirmed: true } : {},
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(target)));
  try {
    await drives[scenario](client);
  } finally {
    await client.close();
  }
}

if (!drives[scenario]) throw new Error(`no way to drive the scenario ${scenario}`);
if (way === 'direct') {
  await drive(url);
} else {
  const gateway = await startGateway({ type: 'http', url });
  try {
    await drive(gateway.url);
  } catch (error) {
    console.error(gateway.log());
    throw error;
  } finally {
    await gateway.stop();
  }
}
