// One whole session of the official TypeScript SDK's client, against one of two servers that others
// wrote.
//
//   node clients/typescript.mjs v1|v2|v2-2026 everything|filesystem TARGET FOLDER
//
// v1 and v2 are the SDK's generations, both speaking 2025-11-25; v2-2026 is the second speaking
// 2026-07-28. TARGET is the URL of an endpoint, or a command to start, which is then spoken to over
// stdio. FOLDER is one that the filesystem server may write to. Prints a line per step; ends with 1
// at the first that fails.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const [generation, server, target, folder] = process.argv.slice(2);
const old = generation === 'v1';
const capabilities = { roots: {}, sampling: {}, elicitation: {} };
const info = { name: 'callbound-typescript-client', version: '1.0.0' };

const client = old
  ? new ClientV1(info, { capabilities })
  : new v2.Client(info, {
      capabilities,
      versionNegotiation: { mode: generation === 'v2' ? 'legacy' : { pin: '2026-07-28' } },
    });
client.setRequestHandler(old ? ListRootsRequestSchema : 'roots/list', () => ({
  roots: [{ uri: pathToFileURL(folder).href, name: 'folder' }],
}));
client.setRequestHandler(old ? CreateMessageRequestSchema : 'sampling/createMessage', () => ({
  role: 'assistant',
  model: 'none',
  content: { type: 'text', text: 'a sampled sentence' },
}));
client.setRequestHandler(old ? ElicitRequestSchema : 'elicitation/create', () => ({
  action: 'accept',
  content: { name: 'Ada', check: true },
}));

function transport() {
  if (URL.canParse(target)) {
    const url = new URL(target);
    return old ? new HttpV1(url) : new v2.StreamableHTTPClientTransport(url);
  }
  const [command, ...args] = target.split(' ');
  return new (old ? StdioV1 : StdioV2)({ command, args, stderr: 'ignore' });
}

/** Calls a tool and returns its first text. */
async function text(name, args = {}, options = {}) {
  const result = old
    ? await client.callTool({ name, arguments: args }, undefined, options)
    : await client.callTool({ name, arguments: args }, options);
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.content[0].text;
}

/** A call must fail, as the tool's own error or as one of the protocol. */
async function fails(name, args) {
  await assert.rejects(text(name, args));
}

async function step(name, run) {
  await run();
  console.log(`ok ${name}`);
}

const sessions = {
  async everything() {
    await step('tools', async () => {
      const { tools } = await client.listTools();
      const echo = tools.find(({ name }) => name === 'echo');
      assert.equal(echo.annotations.readOnlyHint, true);
      assert.equal(echo.inputSchema.properties.message.type, 'string');
    });
    await step('call', async () => {
      assert.equal(await text('echo', { message: 'grüß dich ✓' }), 'Echo: grüß dich ✓');
      assert.match(await text('get-sum', { a: 2, b: 3 }), /\b5\b/);
    });
    await step('structured content', async () => {
      const call = { name: 'get-structured-content', arguments: { location: 'Chicago' } };
      const { structuredContent } = await client.callTool(call);
      assert.equal(typeof structuredContent.temperature, 'number');
    });
    await step('failing call', () => fails('get-sum', { a: 'two' }));
    await step('unknown tool', () => fails('no-such-tool', {}));
    await step('progress', async () => {
      const seen = [];
      const onprogress = ({ progress, total }) => seen.push(`${progress}/${total}`);
      await text('trigger-long-running-operation', { duration: 1, steps: 4 }, { onprogress });
      // The SDK drops a report that it reads together with the result, so the last may be missing.
      assert.deepEqual(seen.slice(0, 3), ['1/4', '2/4', '3/4']);
    });
    await step('calls side by side', async () => {
      const numbers = Array.from({ length: 20 }, (_, at) => at);
      const sums = await Promise.all(numbers.map((a) => text('get-sum', { a, b: 1000 })));
      sums.forEach((sum, a) => assert.match(sum, new RegExp(`\\b${a + 1000}\\b`)));
    });
    await step('prompts', async () => {
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.some(({ name }) => name === 'args-prompt'));
      const got = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo' } });
      assert.match(got.messages[0].content.text, /Oslo/);
    });
    await step('completion', async () => {
      const ref = { type: 'ref/prompt', name: 'completable-prompt' };
      const argument = { name: 'department', value: 'E' };
      const { completion } = await client.complete({ ref, argument });
      assert.deepEqual(completion.values, ['Engineering']);
    });
    await step('resources', async () => {
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: resources[0].uri });
      assert.ok(contents[0].text.length > 0);
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.ok(resourceTemplates.length > 0);
      const dynamic = await client.readResource({ uri: 'demo://resource/dynamic/text/7' });
      assert.match(dynamic.contents[0].text, /Resource 7/);
    });
    await step('sampling', async () => {
      const asked = { prompt: 'Say something', maxTokens: 10 };
      assert.match(await text('trigger-sampling-request', asked), /a sampled sentence/);
    });
    await step('elicitation', async () => {
      assert.match(await text('trigger-elicitation-request'), /provided/);
    });
  },

  async filesystem() {
    const path = join(folder, 'note.txt');
    await step('tools', async () => {
      const { tools } = await client.listTools();
      const annotations = (wanted) => tools.find(({ name }) => name === wanted).annotations;
      assert.equal(annotations('read_text_file').readOnlyHint, true);
      assert.notEqual(annotations('write_file').readOnlyHint, true);
    });
    await step('write', () => text('write_file', { path, content: 'one\ntwo\n' }));
    await step('read', async () =>
      assert.equal(await text('read_text_file', { path }), 'one\ntwo\n'),
    );
    await step('list', async () => {
      assert.match(await text('list_directory', { path: folder }), /note\.txt/);
    });
    await step('missing file', () => fails('read_text_file', { path: join(folder, 'absent.txt') }));
    await step('forbidden folder', () => fails('list_directory', { path: '/' }));
  },
};

await step('connect', async () => {
  await client.connect(transport());
  assert.ok(client.getServerCapabilities().tools);
});
await sessions[server]();
await step('close', () => client.close());
