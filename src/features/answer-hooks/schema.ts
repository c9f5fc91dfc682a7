// API schemas of answer hooks and their answers.
import { type Static, Type } from 'typebox'
import { hookStatuses, refusalCodes } from '../../base/domain/hook-statuses.ts'
import { MAX_COLUMN_NAME } from '../../base/text/table-cells.ts'
import {
  Body,
  Choice,
  Example,
  FreeObject,
  HttpUrl,
  Id,
  Maybe,
  Nullable,
  Strict,
  Timestamp,
} from '../../http/schema.ts'

export const TIMEOUT_MS = { minimum: 500, maximum: 5000, default: 2000 }

const kind = Choice(['url', 'spreadsheet'], {
  description: 'url: your server is asked; spreadsheet: the row with the number of the caller answers',
})
const url = Type.String({
  ...HttpUrl,
  description: 'Receives the signed request, http or https, without user name',
  examples: ['https://crm.example.com.br/ramal/answer'],
})
const timeoutMs = Type.Integer({
  ...TIMEOUT_MS,
  description: 'How long the caller hears ringing at most; after that the call is answered without the hook',
  examples: [2000],
})
const column = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_COLUMN_NAME, description, examples: [example] })

const columns = {
  agentColumn: Maybe(column('Holds the id of the agent that answers', 'Agente')),
  languageColumn: Maybe(column('Holds a language such as es-MX', 'Idioma')),
  refuseColumn: Maybe(column('Refuses the call with this SIP code; yes, sim, sí and x mean 603', 'Bloqueado')),
  transferColumn: Maybe(column('Holds the number that the call is sent to', 'Transferir')),
  contextColumn: Maybe(column('Holds a text for the prompt', 'Observações')),
}
export const SheetLookup = Strict({
  spreadsheetId: Id('sht', { minLength: 1, maxLength: 255 }),
  column: column('Holds the numbers of the callers, in any notation', 'Telefone'),
  ...columns,
})
export type SheetLookup = Static<typeof SheetLookup>

const shared = {
  id: Id('hok'),
  kind,
  url: Nullable(Example('https://crm.example.com.br/ramal/answer')),
  spreadsheet: Nullable(
    Type.Object({
      spreadsheetId: Id('sht'),
      column: Example('Telefone'),
      agentColumn: Nullable(Example('Agente')),
      languageColumn: Nullable(Example('Idioma')),
      refuseColumn: Nullable(Example('Bloqueado')),
      transferColumn: Nullable(Example('Transferir')),
      contextColumn: Nullable(Example('Observações')),
    }),
  ),
  timeoutMs,
  isActive: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const AnswerHook = Type.Object(shared, { title: 'AnswerHook' })
export type AnswerHook = Static<typeof AnswerHook>

export const SavedAnswerHook = Type.Object(
  {
    ...shared,
    secret: Nullable(
      Example('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', {
        description: 'Signing secret (whsec_…); returned only when it is new',
      }),
    ),
  },
  { title: 'SavedAnswerHook' },
)
export type SavedAnswerHook = Static<typeof SavedAnswerHook>

export const AnswerHookInput = Body(
  {
    kind,
    url: Maybe(url),
    spreadsheet: Maybe(SheetLookup),
    timeoutMs: Maybe(timeoutMs),
    isActive: Maybe(Type.Boolean()),
  },
  { examples: [{ kind: 'url', url: 'https://crm.example.com.br/ramal/answer', timeoutMs: 2000 }] },
)
export type AnswerHookInput = Static<typeof AnswerHookInput>

export const HookTest = Body(
  {
    caller: Maybe(
      Type.String({
        maxLength: 64,
        description: 'The number of the caller in the sample; null: an example',
        examples: ['+5511987654321'],
      }),
    ),
  },
  { examples: [{ caller: '+5511987654321' }] },
)
export type HookTest = Static<typeof HookTest>

const refuse = Type.Integer({ enum: [...refusalCodes], examples: [603], description: 'SIP code of the refusal' })

const decided = {
  status: Choice([...hookStatuses], {
    description:
      'applied: the answer was followed; empty: it asked for nothing; timeout: none in time; late: it came during the conversation; ' +
      'failed: no answer; invalid: not usable; skipped: not asked, because it failed before',
    examples: ['applied'],
  }),
  kind,
  ms: Type.Integer({ description: 'Until the answer, or until it was no longer waited for', examples: [184] }),
  lateMs: Nullable(Type.Integer({ description: 'Until the late answer', examples: [null] })),
  detail: Nullable(Example('', { examples: [null], description: 'What was wrong, in a sentence' })),
  agentId: Nullable(Id('agt', { description: 'The agent that the answer chose' })),
  language: Nullable(Example('es-MX')),
  refuse: Nullable(refuse),
  transferTo: Nullable(Example('+551130304040', { examples: [null] })),
}

export const HookOutcome = Type.Object(
  {
    ...decided,
    variables: Type.Array(Example('nome'), { description: 'Names of the variables; the values are those of the call' }),
    hasContext: Type.Boolean({ examples: [true], description: 'The answer had a text for the prompt' }),
  },
  { title: 'HookOutcome' },
)
export type HookOutcome = Static<typeof HookOutcome>

export const CallHook = Type.Object(
  {
    callId: Id('call'),
    hook: Nullable(HookOutcome),
  },
  { title: 'CallHook' },
)

export const TestedHook = Type.Object(
  {
    ...decided,
    statusCode: Nullable(Type.Integer({ examples: [200], description: 'HTTP status of the answer' })),
    variables: FreeObject({ examples: [{ nome: 'Ana' }] }),
    context: Nullable(Example('Cliente desde 2019.')),
    ignored: Type.Array(Example('nme'), { description: 'Fields of the answer that mean nothing here' }),
    request: FreeObject({ description: 'The sample that was sent', examples: [{ channel: 'phone' }] }),
  },
  { title: 'TestedHook' },
)
export type TestedHook = Static<typeof TestedHook>
