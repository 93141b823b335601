// The everything-server over HTTP, which has to be told its port and does not print its URL.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** A port that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts it and waits until it says that it listens. */
export async function startEverything(port) {
  const child = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise((resolve, reject) => {
    const watch = (data) => String(data).includes('listening') && resolve();
    child.stdout.on('data', watch);
    child.stderr.on('data', watch);
    child.once('exit', (code) => reject(new Error(`server-everything ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      child.kill('SIGKILL'); // It waits for its sessions to end, which a test has no time for.
      await once(child, 'exit');
    },
  };
}
