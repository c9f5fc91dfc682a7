// API schemas of tools: the spec's fields, and our optional `config` for type-specific settings.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  Example,
  Expected,
  FreeObject,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  SortBy,
  Strict,
  Text,
  Timestamp,
} from '../../http/schema.ts'
import { exampleTools } from './example-schema.ts'

export const toolTypes = [
  'custom',
  'api_request',
  'dtmf',
  'end_call',
  'transfer_call',
  'send_text',
  'query',
  'calendar',
  'spreadsheet',
  'chat_workspace',
  'mcp',
] as const
export type ToolType = (typeof toolTypes)[number]

const bounded = { 'x-max-bytes': 32_768, 'x-max-depth': 10 }

const name = Text(255, { examples: ['consultar_agenda'] })
const description = Type.String({
  maxLength: 2000,
  description: 'Tells the model when to use the tool',
  examples: ['Consulta os horários livres de uma especialidade'],
})
const type = Choice([...toolTypes], { examples: ['api_request'] })
const method = Type.String({
  pattern:
    '^([Gg][Ee][Tt]|[Pp][Oo][Ss][Tt]|[Pp][Uu][Tt]|[Pp][Aa][Tt][Cc][Hh]|[Dd][Ee][Ll][Ee][Tt][Ee]|[Hh][Ee][Aa][Dd])$',
  examples: ['GET'],
  ...Expected('GET, POST, PUT, PATCH, DELETE or HEAD'),
})
const requestUrl = Type.String({
  maxLength: 2048,
  description: '{param} is replaced by a collected parameter',
  examples: ['https://agenda.example.com.br/horarios?especialidade={especialidade}'],
})

/** A spoken message: a text, variants of it, or an object with conditions. */
const MessageForm = Strict({
  content: Maybe(Type.String({ maxLength: 2000 })),
  contents: Maybe(
    Type.Array(Strict({ language: Type.String({ maxLength: 35 }), content: Type.String({ maxLength: 2000 }) }), {
      maxItems: 50,
    }),
  ),
  blocking: Maybe(Type.Boolean()),
  role: Maybe(Choice(['assistant', 'system'])),
  endCall: Maybe(Type.Boolean()),
  timingMs: Maybe(Type.Integer({ minimum: 100, maximum: 120_000 })),
  conditions: Maybe(
    Type.Array(
      Strict({
        param: Type.String({ minLength: 1, maxLength: 255 }),
        operator: Choice(['eq', 'neq', 'gt', 'gte', 'lt', 'lte']),
        value: Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]),
      }),
      { maxItems: 20 },
    ),
  ),
})
const spoken = Type.String({ maxLength: 2000 })
const message = Type.Union([
  spoken,
  Type.Array(Type.Union([spoken, MessageForm]), { maxItems: 20 }),
  MessageForm,
  Type.Null(),
])
const messages = Strict(
  {
    start: Type.Optional(message),
    complete: Type.Optional(message),
    failed: Type.Optional(message),
    delayed: Type.Optional(message),
  },
  bounded,
)

const exampleParameters = {
  type: 'object',
  properties: { especialidade: { type: 'string', description: 'Especialidade médica' } },
  required: ['especialidade'],
}
const parameters = FreeObject({
  description: 'JSON Schema of the parameters the model fills in',
  examples: [exampleParameters],
  ...bounded,
})
const headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  description: 'HTTP headers of the outgoing request; values are masked when read',
  examples: [{ 'X-Clinica': 'aurora' }],
  propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$" },
  additionalProperties: { type: 'string', maxLength: 8192, pattern: '^[^\\r\\n\\x00]*$' },
  ...bounded,
})
const authorization = Type.Unsafe<{ type: string; [name: string]: unknown }>({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', minLength: 1, maxLength: 64 } },
  additionalProperties: true,
  description:
    '{ type, … }: none, bearer, basic, api_key, custom_header, oauth2_client_credentials, hmac, google_service_account or google_refresh_token; secrets are masked when read',
  ...bounded,
})
const body = FreeObject({ description: 'Template of the request body', ...bounded })
const config = FreeObject({ description: 'Settings of this tool type', ...bounded })

export const ListedTool = Type.Object(
  {
    id: Id('tol'),
    name,
    description: Nullable(description),
    type,
    method: Nullable(Example('GET')),
    requestUrl: Nullable(requestUrl),
    isActive: Type.Boolean(),
    createdAt: Timestamp,
  },
  { title: 'ListedTool' },
)
export type ListedTool = Static<typeof ListedTool>

const free = (example: object | null) => Nullable(FreeObject({ examples: [example] }))
export const Tool = Type.Object(
  {
    ...ListedTool.properties,
    parameters: free(exampleParameters),
    headers: free({ 'X-Clinica': '***' }),
    authorization: free({ type: 'bearer', token: '***' }),
    body: free(null),
    messages: free({ start: 'Um momento, vou consultar a agenda.' }),
    config: free({ timeoutMs: 8000 }),
    updatedAt: Timestamp,
  },
  { title: 'Tool' },
)
export type Tool = Static<typeof Tool>

const optional = {
  description: Maybe(description),
  method: Maybe(method),
  requestUrl: Maybe(requestUrl),
  parameters: Maybe(parameters),
  headers: Maybe(headers),
  authorization: Maybe(authorization),
  body: Maybe(body),
  messages: Maybe(messages),
  config: Maybe(config),
}

export const ToolQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('Words of the name, the description or the URL', 'agenda'),
  type: Type.Optional(type),
  isActive: Type.Optional(Type.Boolean()),
  sort: SortBy(['name', 'type', 'updatedAt', 'createdAt']),
})
export type ToolQuery = Static<typeof ToolQuery>

export const NewTool = Body({ name, type, ...optional }, { examples: Object.values(exampleTools) })
export type NewTool = Static<typeof NewTool>

export const ToolPatch = Body(
  {
    name: Type.Optional(name),
    type: Type.Optional(type),
    isActive: Type.Optional(Type.Boolean()),
    ...optional,
  },
  { examples: [{ description: 'Consulta horários livres e preços', config: { timeoutMs: 5000 } }] },
)
export type ToolPatch = Static<typeof ToolPatch>

/** A resource's user, in the shortest form. */
export const Named = Type.Object({ id: Id('agt'), name: Example('Recepção da Clínica Aurora') }, { title: 'Named' })
export type Named = Static<typeof Named>

/** A tool that uses a knowledge base or a spreadsheet, and the agents linked to it. */
export const UsingTool = Type.Object(
  { id: Id('tol'), name: Example('consultar_precos'), isActive: Type.Boolean(), agents: Type.Array(Named) },
  { title: 'UsingTool' },
)
export type UsingTool = Static<typeof UsingTool>

export const ByToolAndAgent = Type.Object({ id: Type.String(), agentId: Type.String() })

export const ToolTest = Body({
  arguments: Maybe(
    FreeObject({
      examples: [{ especialidade: 'dermatologia' }],
      description: 'Arguments as a model would fill them in',
      ...bounded,
    }),
  ),
  variables: Maybe(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 5000 },
      description: 'Values for {name} in addition to the arguments',
      examples: [{ nome: 'Ana' }],
      ...bounded,
    }),
  ),
  agentId: Maybe(Id('agt', { description: 'The agent whose language and time zone apply' })),
  function: Maybe(Type.String({ maxLength: 64, description: 'Which function, for a tool that has several' })),
})
export type ToolTest = Static<typeof ToolTest>

export const TestedTool = Type.Object(
  {
    id: Nullable(Id('tcl', { description: 'The Idempotency-Key sent along; null if no request was sent' })),
    function: Example('consultar_agenda', { description: 'Function name as offered to the model' }),
    status: Choice(['done', 'failed', 'in_doubt', 'refused']),
    result: Nullable(
      Example('Livre: quinta 10:00, quinta 11:30', { description: 'The result as returned to the model' }),
    ),
    error: Nullable(Example('', { examples: [null] })),
    durationMs: Type.Integer({ examples: [412] }),
    request: Nullable(
      Type.Object(
        {
          method: Example('GET'),
          url: Example('https://agenda.example.com.br/horarios?especialidade=dermatologia'),
          headers: Type.Unsafe<Record<string, string>>({
            type: 'object',
            additionalProperties: { type: 'string' },
            examples: [{ authorization: 'Bearer ***' }],
          }),
          body: Nullable(Example('', { examples: [null] })),
        },
        { description: 'The last HTTP request sent, with secrets masked' },
      ),
    ),
  },
  { title: 'TestedTool' },
)
export type TestedTool = Static<typeof TestedTool>

export const ToolTestRun = Type.Object(
  {
    id: Id('tcl'),
    function: Example('consultar_agenda'),
    status: Choice(['running', 'done', 'failed', 'in_doubt'], { examples: ['done'] }),
    error: Nullable(Example('', { examples: [null] })),
    startedAt: Timestamp,
    durationMs: Nullable(Type.Integer({ examples: [412] })),
  },
  { title: 'ToolTestRun' },
)
export type ToolTestRun = Static<typeof ToolTestRun>
