// Starts each server over stdio, lists its tools, and compares them with the list that the tests hold the profile to.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PATIENCE_MS = 60_000;
const LISTS = new URL('../../gateway/src/test/resources/dev/callbound/gateway/profile/', import.meta.url);
const BIN = fileURLToPath(new URL('node_modules/.bin/', import.meta.url));

/** Name of the profile: program, arguments, environment. None of them is asked for more than its tools. */
const SERVERS = {
  everything: ['mcp-server-everything', []],
  filesystem: ['mcp-server-filesystem', ['.']],
  memory: ['mcp-server-memory', []],
  notion: ['notion-mcp-server', [], { NOTION_TOKEN: 'none' }],
  playwright: [
    'playwright-mcp',
    ['--caps', 'config,devtools,network,pdf,storage,tabs,testing,tracing,vision'],
  ],
  postgres: ['mcp-server-postgres', ['postgres://localhost:1/none']],
};

/** A client that can be asked for everything: some tools are listed to no other. */
const CAPABILITIES = {
  roots: {},
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
};

async function toolsOf([program, args, env]) {
  const server = spawn(BIN + program, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  const failed = new Promise((_, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    setTimeout(() => reject(new Error(`${program} was silent for ${PATIENCE_MS} ms`)), PATIENCE_MS).unref();
  });
  failed.catch(() => {});
  const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'roots/list') {
      send({ id: message.id, result: { roots: [] } });
    } else if (waiting.has(message.id)) {
      waiting.get(message.id)(message);
    }
  });
  const ask = async (id, method, params) => {
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await Promise.race([answer, failed]);
    if (error) throw new Error(`${program} refused ${method}: ${error.message}`);
    return result;
  };
  try {
    await ask('initialize', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: CAPABILITIES,
      clientInfo: { name: 'callbound-profiles', version: '0' },
    });
    send({ method: 'notifications/initialized' });
    // Some tools are added once the server knows what its client can do.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const tools = [];
    let cursor;
    do {
      const page = await ask(`list ${tools.length}`, 'tools/list', cursor ? { cursor } : {});
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor);
    return tools;
  } finally {
    server.kill();
  }
}

/** What a profile can depend on: names, kinds of arguments, and what the server says of its effect. */
function short({ name, annotations, inputSchema }) {
  const properties = Object.fromEntries(
    Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => [argument, kind(schema)]),
  );
  const hint = annotations?.readOnlyHint;
  return {
    name,
    ...(hint === undefined ? {} : { annotations: { readOnlyHint: hint } }),
    inputSchema: {
      type: 'object',
      properties,
      ...(inputSchema.required?.length ? { required: inputSchema.required } : {}),
      ...(inputSchema.additionalProperties === false ? { additionalProperties: false } : {}),
    },
  };
}

function kind(schema) {
  const type = schema.type ?? (schema.anyOf ?? schema.oneOf ?? []).map((choice) => choice.type).filter(Boolean);
  return type.length ? { type } : {};
}

function print(tools) {
  const sorted = tools.map(short).sort((one, other) => (one.name < other.name ? -1 : 1));
  return `[\n${sorted.map((tool) => JSON.stringify(tool)).join(',\n')}\n]\n`;
}

let different = 0;
for (const [name, command] of Object.entries(SERVERS)) {
  const file = new URL(`${name}.json`, LISTS);
  const offered = print(await toolsOf(command));
  if (process.argv.includes('--write')) {
    await writeFile(file, offered);
  }
  const known = (await readFile(file, 'utf8')).split('\n');
  const now = offered.split('\n');
  const plain = (line) => line.replace(/,$/, '');
  const gone = known.filter((line) => !now.map(plain).includes(plain(line)));
  const come = now.filter((line) => !known.map(plain).includes(plain(line)));
  console.log(`${name}: ${now.length - 3} tools, ${gone.length + come.length ? 'different' : 'as known'}`);
  gone.forEach((line) => console.log(`  - ${line}`));
  come.forEach((line) => console.log(`  + ${line}`));
  different += gone.length + come.length;
}
process.exit(different ? 1 : 0);
