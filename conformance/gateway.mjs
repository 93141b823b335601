// Starts Callbound in front of one upstream, for as long as a run needs it.
//
// The command is `../callbound`, or what the variable CALLBOUND says, split at spaces.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const command = (process.env.CALLBOUND ?? join(here, '..', 'callbound')).split(' ');
const START_MILLIS = 120_000; // The first start may have to build.
const STOP_MILLIS = 5_000;

/**
 * Starts a process and waits for the first URL that it prints; rejects when it ends before that.
 */
export function startServer(command, { quiet = true } = {}) {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', quiet ? 'pipe' : 'inherit'] });
  let tail = '';
  child.stderr?.on('data', (data) => (tail = (tail + data).slice(-4_000)));
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(`printed no URL in ${START_MILLIS} ms`), START_MILLIS);
    const fail = (why) => {
      clearTimeout(late);
      child.kill('SIGKILL');
      reject(new Error(`${command.join(' ')}: ${why}\n${tail}`));
    };
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with ${code}`));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = line.match(/https?:\/\/[^\s"]+/)?.[0];
      if (!url) return;
      clearTimeout(late);
      child.removeAllListeners('exit');
      resolve({ url, pid: child.pid, stop: () => stop(child), log: () => tail });
    });
  });
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MILLIS);
    child.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/**
 * Starts the gateway with one server, given as in an `mcpServers` file: `{url}` or `{command, args}`.
 * Its `url` is the endpoint for MCP.
 */
export async function startGateway(server, name = 'peer') {
  const folder = mkdtempSync(join(tmpdir(), 'callbound-conformance-'));
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { [name]: server } }));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  try {
    const gateway = await startServer([
      ...command,
      'serve',
      ...['--mcp-config', config],
      ...['--journal', join(folder, 'journal.db')],
      ...['--listen', '127.0.0.1:0'],
    ]);
    const url = new URL(process.env.CALLBOUND_PATH ?? '/mcp', gateway.url).href;
    return { ...gateway, url, stop: () => gateway.stop().finally(clean) };
  } catch (error) {
    clean();
    throw error;
  }
}
