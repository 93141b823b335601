// The tools, prompts and resources that the scenarios of @modelcontextprotocol/conformance ask for
// by name.

import { randomBytes } from 'node:crypto';
import {
  McpServer,
  ResourceTemplate,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

// One red pixel, and one sample of silence.
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';

const text = (value) => ({ type: 'text', text: value });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const audio = { type: 'audio', data: WAV, mimeType: 'audio/wav' };
const embedded = (uri, mimeType, value) => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});
const answer = (...content) => ({ content });
const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

const requestState = createRequestStateCodec({ key: randomBytes(32) });

/**
 * The response that a client gave under a key of an earlier input_required result, if it is one.
 */
function response(ctx, key) {
  const value = ctx.mcpReq.inputResponses?.[key];
  return value !== null && typeof value === 'object' ? value : undefined;
}

const ask = (message, properties, required = Object.keys(properties)) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required },
  });
const sample = (prompt, maxTokens = 100) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: text(prompt) }],
    maxTokens,
  });

/**
 * A server with all of them, for one session or one request.
 *
 * @param announce is told 'tools' or 'prompts' when a tool is asked to change that list
 */
export function newServer(announce) {
  const server = new McpServer(
    { name: 'callbound-conformance-server', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      cacheHints: Object.fromEntries(
        [
          'tools/list',
          'prompts/list',
          'resources/list',
          'resources/templates/list',
          'resources/read',
        ].map((method) => [method, { ttlMs: 60_000, cacheScope: 'private' }]),
      ),
      requestState: { verify: requestState.verify },
    },
  );
  addPlainTools(server, announce);
  addToolsWithSchemas(server);
  addTalkingTools(server);
  addAskingTools(server);
  addPrompts(server);
  addResources(server);
  return server;
}

/** Tools that answer at once. */
function addPlainTools(server, announce) {
  const tool = (name, description, run) => server.registerTool(name, { description }, run);

  tool('test_simple_text', 'Returns text', () =>
    answer(text('This is a simple text response for testing.')),
  );
  tool('test_image_content', 'Returns an image', () => answer(image));
  tool('test_audio_content', 'Returns audio', () => answer(audio));
  tool('test_embedded_resource', 'Returns an embedded resource', () =>
    answer(
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ),
  );
  tool('test_multiple_content_types', 'Returns text, an image and a resource', () =>
    answer(
      text('Multiple content types test:'),
      image,
      embedded(
        'test://mixed-content-resource',
        'application/json',
        JSON.stringify({ test: 'data', value: 123 }),
      ),
    ),
  );
  tool('test_error_handling', 'Always fails', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool('test_trigger_tool_change', 'Announces a change of the tool list', () => {
    announce('tools');
    return answer(text('announced'));
  });
  tool('test_trigger_prompt_change', 'Announces a change of the prompt list', () => {
    announce('prompts');
    return answer(text('announced'));
  });
}

/** Tools whose schema has to reach the client as it is, and to be obeyed on the way. */
function addToolsWithSchemas(server) {
  // What `json-schema-2020-12` looks for in the list of tools.
  const inputSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  };
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema of many keywords', inputSchema: fromJsonSchema(inputSchema) },
    (args) => answer(text(JSON.stringify(args))),
  );
  server.registerTool(
    'test_parameter_in_header',
    {
      description: 'Wants a parameter in a header too',
      inputSchema: fromJsonSchema({
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      }),
    },
    ({ region }) => answer(text(region)),
  );
}

/** Tools that send notifications while they work. */
function addTalkingTools(server) {
  const tool = (name, description, run) => server.registerTool(name, { description }, run);

  tool('test_tool_with_logging', 'Logs three times', async (ctx) => {
    await ctx.mcpReq.log('info', 'Tool execution started');
    await pause(50);
    await ctx.mcpReq.log('info', 'Tool processing data');
    await pause(50);
    await ctx.mcpReq.log('info', 'Tool execution completed');
    return answer(text('logged three times'));
  });
  tool('test_logging_tool', 'Logs once', async (ctx) => {
    await ctx.mcpReq.log('info', 'one line');
    return answer(text('logged once'));
  });
  tool('test_tool_with_progress', 'Reports progress three times', async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      if (progress < 100) await pause(50);
    }
    return answer(text('done'));
  });
}

/**
 * Tools that need something from the client. Each returns what it needs; the SDK turns that into requests
 * to the client where the client's revision has no input_required result.
 */
function addAskingTools(server) {
  const tool = (name, description, run) => server.registerTool(name, { description }, run);

  server.registerTool(
    'test_sampling',
    { description: 'Samples a prompt', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, ctx) => {
      const given = response(ctx, 'sample');
      return given
        ? answer(text(`LLM response: ${given.content?.text}`))
        : inputRequired({ inputRequests: { sample: sample(prompt) } });
    },
  );

  const elicitation = (given) =>
    answer(
      text(
        `Elicitation completed: action=${given.action}, content=${JSON.stringify(given.content ?? {})}`,
      ),
    );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
    ({ message }, ctx) => {
      const given = response(ctx, 'user');
      return given
        ? answer(
            text(
              `User response: action=${given.action}, content=${JSON.stringify(given.content ?? {})}`,
            ),
          )
        : inputRequired({
            inputRequests: {
              user: ask(message, {
                username: { type: 'string', description: "User's response" },
                email: { type: 'string', description: "User's email address" },
              }),
            },
          });
    },
  );
  tool('test_elicitation_sep1034_defaults', 'Asks with defaults', (ctx) => {
    const given = response(ctx, 'form');
    if (given) return elicitation(given);
    const form = ask(
      'Please review the defaults',
      {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: {
          type: 'string',
          enum: ['active', 'inactive', 'pending'],
          default: 'active',
        },
        verified: { type: 'boolean', default: true },
      },
      [],
    );
    return inputRequired({ inputRequests: { form } });
  });
  tool('test_elicitation_sep1330_enums', 'Asks for choices', (ctx) => {
    const given = response(ctx, 'form');
    if (given) return elicitation(given);
    const titled = (noun) =>
      ['First', 'Second', 'Third'].map((ordinal, at) => ({
        const: `value${at + 1}`,
        title: `${ordinal} ${noun}`,
      }));
    const plain = ['option1', 'option2', 'option3'];
    const form = ask('Please choose', {
      untitledSingle: { type: 'string', enum: plain },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
    });
    return inputRequired({ inputRequests: { form } });
  });

  tool('test_missing_capability', 'Needs sampling', (ctx) =>
    response(ctx, 'sample')
      ? answer(text('sampled'))
      : inputRequired({ inputRequests: { sample: sample('Say something') } }),
  );
  tool('test_streaming_elicitation', 'Needs elicitation', (ctx) =>
    response(ctx, 'ok')
      ? answer(text('confirmed'))
      : inputRequired({ inputRequests: { ok: ask('Go on?', { ok: { type: 'boolean' } }) } }),
  );
  tool('test_input_required_result_elicitation', 'Asks for a name', (ctx) => {
    const given = response(ctx, 'user_name');
    return given
      ? answer(text(`Hello, ${given.content?.name}!`))
      : inputRequired({
          inputRequests: { user_name: ask('What is your name?', { name: { type: 'string' } }) },
        });
  });
  tool('test_input_required_result_sampling', 'Asks the model', (ctx) => {
    const given = response(ctx, 'capital_question');
    return given
      ? answer(text(String(given.content?.text)))
      : inputRequired({
          inputRequests: { capital_question: sample('What is the capital of France?') },
        });
  });
  tool('test_input_required_result_list_roots', 'Asks for the roots', (ctx) => {
    const given = response(ctx, 'client_roots');
    return given
      ? answer(text(`Roots: ${given.roots?.map((root) => root.uri).join(', ')}`))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  tool('test_input_required_result_capabilities', 'Asks for what the client can do', (ctx) => {
    const can =
      ctx.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ??
      server.server.getClientCapabilities() ??
      {};
    if (ctx.mcpReq.inputResponses) return answer(text('thank you'));
    const inputRequests = {};
    if (can.sampling) inputRequests.sampled = sample('Say something');
    if (can.elicitation) inputRequests.asked = ask('Go on?', { ok: { type: 'boolean' } });
    return Object.keys(inputRequests).length > 0
      ? inputRequired({ inputRequests })
      : answer(text('nothing to ask'));
  });

  // The two that differ only in what the suite does with their state.
  for (const name of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    tool(name, 'Asks once and keeps state', async (ctx) =>
      response(ctx, 'confirm') && ctx.mcpReq.requestState()?.asked === name
        ? answer(text('state-ok'))
        : inputRequired({
            inputRequests: { confirm: ask('Please confirm', { ok: { type: 'boolean' } }) },
            requestState: await requestState.mint({ asked: name }),
          }),
    );
  }
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once', async (ctx) => {
    const keys = ['user_name', 'greeting', 'client_roots'];
    return keys.every((key) => response(ctx, key))
      ? answer(text('all given'))
      : inputRequired({
          inputRequests: {
            user_name: ask('What is your name?', { name: { type: 'string' } }),
            greeting: sample('Generate a greeting', 50),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await requestState.mint({ asked: keys }),
        });
  });
  tool('test_input_required_result_multi_round', 'Asks twice', async (ctx) => {
    const state = ctx.mcpReq.requestState();
    if (state?.round === 2 && response(ctx, 'step2')) {
      const { color } = response(ctx, 'step2').content ?? {};
      return answer(text(`${state.name} likes ${color}`));
    }
    if (state?.round === 1 && response(ctx, 'step1')) {
      const { name } = response(ctx, 'step1').content ?? {};
      return inputRequired({
        inputRequests: {
          step2: ask('Step 2: What is your favorite color?', { color: { type: 'string' } }),
        },
        requestState: await requestState.mint({ round: 2, name }),
      });
    }
    return inputRequired({
      inputRequests: { step1: ask('Step 1: What is your name?', { name: { type: 'string' } }) },
      requestState: await requestState.mint({ round: 1 }),
    });
  });
}

function addPrompts(server) {
  const messages = (...content) => ({
    messages: content.map((each) => ({ role: 'user', content: each })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'Takes nothing' }, () =>
    messages(text('This is a simple prompt for testing.')),
  );
  const words = (value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Takes two arguments',
      argsSchema: z.object({ arg1: completable(z.string(), words), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      messages(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Has an image' }, () =>
    messages(image, text('Please analyze the image above.')),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context' },
    (ctx) => {
      const given = response(ctx, 'user_context');
      return given
        ? messages(text(`Context: ${given.content?.context}`))
        : inputRequired({
            inputRequests: {
              user_context: ask('What context should the prompt use?', {
                context: { type: 'string' },
              }),
            },
          });
    },
  );
}

function addResources(server) {
  const contents = (uri, mimeType, value) => ({ contents: [{ uri, mimeType, ...value }] });
  const resource = (name, mimeType, description, value) =>
    server.registerResource(name, `test://${name}`, { description, mimeType }, (uri) =>
      contents(uri.href, mimeType, value),
    );
  resource('static-text', 'text/plain', 'Text that never changes', {
    text: 'This is the content of the static text resource.',
  });
  resource('static-binary', 'image/png', 'One red pixel', { blob: PNG });
  resource('watched-resource', 'text/plain', 'Text to subscribe to', { text: 'watched' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id', mimeType: 'application/json' },
    (uri, { id }) =>
      contents(uri.href, 'application/json', {
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}
