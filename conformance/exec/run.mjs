// Has `callbound exec` start an agent that others' code makes up: the official TypeScript SDK's client, in
// front of server-everything. Once it ends by itself; once it hangs, ignores TERM, and is ended by its run's
// deadline. Ends with 1 if anything is not as it should be.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const callbound = process.env.CALLBOUND ?? join(here, '../../callbound');
const everything = join(here, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const folder = mkdtempSync(join(tmpdir(), 'callbound-exec-'));
const journal = join(folder, 'callbound.db');
const config = join(folder, 'mcp.json');
writeFileSync(
  config,
  JSON.stringify({
    mcpServers: { everything: { command: process.execPath, args: [everything, 'stdio'] } },
  }),
);

function callboundSays(...args) {
  return new Promise((resolve) => {
    execFile(callbound, args, { timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    );
  });
}

function exec(ending, ...options) {
  const agent = [process.execPath, join(here, 'agent.mjs'), '{mcp_config}', ending];
  const args = ['--mcp-config', config, '--journal', journal, ...options, '--', ...agent];
  return callboundSays('exec', ...args);
}

/** Whether it goes away soon: what has been killed is there until it has been reaped. */
async function goesAway(pid) {
  for (let tries = 0; tries < 50; tries++) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await setTimeout(100);
  }
  return false;
}

try {
  const well = await exec('calls');
  assert.equal(well.code, 0, well.stderr);
  assert.equal(well.stderr, '', 'quiet when all is well');
  const run = /^run (\S+)$/m.exec(well.stdout)[1];
  const { stdout } = await callboundSays('show', run, '--json', '--journal', journal);
  const record = JSON.parse(stdout);
  assert.equal(JSON.stringify(record).match(/"get-sum"/g)?.length >= 5, true, stdout);
  console.log(`ok: the agent made its calls in run ${run}, and its exit code is exec's`);

  const hung = await exec('hangs', '--deadline', '12s');
  assert.equal(hung.code, 124, hung.stderr);
  assert.match(hung.stderr, /deadline/);
  const child = Number(/^child (\d+)$/m.exec(hung.stdout)[1]);
  assert.ok(await goesAway(child), 'a child that ignores TERM is gone');
  console.log('ok: an agent that hangs is ended at the deadline with all that it started; exit code 124');
} finally {
  rmSync(folder, { recursive: true });
}
