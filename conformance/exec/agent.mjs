// An agent as `callbound exec` starts one: it knows nothing of Callbound, reads the mcpServers file that
// it is given, calls tools by the official TypeScript SDK's client, and says what it got.
//
//   node exec/agent.mjs MCP_CONFIG calls|hangs
//
// hangs: it then starts a child that ignores TERM, ignores TERM itself, and waits for ever.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as sdk from '@modelcontextprotocol/client';

const [file, ending] = process.argv.slice(2);
const [server] = Object.values(JSON.parse(readFileSync(file, 'utf8')).mcpServers);
assert.equal(server.type, 'http');

const client = new sdk.Client(
  { name: 'agent', version: '1.0.0' },
  { versionNegotiation: { mode: 'legacy' } },
);
await client.connect(
  new sdk.StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: server.headers },
  }),
);
const { tools } = await client.listTools();
assert.ok(tools.some(({ name }) => name === 'get-sum'));
for (let a = 0; a < 5; a++) {
  const { content } = await client.callTool({ name: 'get-sum', arguments: { a, b: 100 } });
  assert.match(content[0].text, new RegExp(`\\b${a + 100}\\b`));
}
console.log(`run ${process.env.CALLBOUND_RUN}`);

if (ending === 'hangs') {
  process.on('SIGTERM', () => {});
  const child = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done']);
  console.log(`child ${child.pid}`);
  setInterval(() => {}, 1_000);
} else {
  await client.close();
}
