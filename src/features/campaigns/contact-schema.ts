// API schema of a campaign's contacts, imports, attempts and preview.
import { type Static, Type } from 'typebox'
import {
  attemptOutcomes,
  attemptStatuses,
  contactStatuses,
  importStatuses,
  rowResults,
} from '../../base/domain/campaigns.ts'
import {
  Body,
  Choice,
  Example,
  FreeObject,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  Timestamp,
} from '../../http/schema.ts'

const outcome = Choice([...attemptOutcomes], { examples: ['answered'] })

export const Contact = Type.Object(
  {
    id: Id('cct'),
    campaignId: Id('cmp'),
    phoneNumber: Example('+5511987654321', { description: 'Empty once the number was forgotten' }),
    variables: Type.Record(Type.String(), Type.String(), { examples: [{ nome: 'Maria' }] }),
    status: Choice([...contactStatuses], { examples: ['waiting'] }),
    outcome: Nullable({ ...outcome, description: 'Of the last attempt' }),
    tries: Type.Integer({ examples: [1] }),
    dueAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The next attempt: not before this; null in a draft without a start',
      }),
    ),
    dueReason: Nullable(FreeObject({ description: 'Why then: window, time zone, spacing' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'CampaignContact' },
)
export type Contact = Static<typeof Contact>

export const ContactQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('A part of the number, or words of the variables', 'Maria'),
  status: Type.Optional(Choice([...contactStatuses], { examples: ['in_doubt'] })),
  outcome: Type.Optional(outcome),
})
export type ContactQuery = Static<typeof ContactQuery>

const phoneColumn = Type.String({
  maxLength: 100,
  description: 'The column with the number; null: found by its name and contents',
  examples: ['telefone'],
})

/** An import as JSON. Files are sent raw as CSV or XLSX, with `phoneColumn` in the query. */
export const NewContacts = Body(
  {
    phoneColumn: Maybe(phoneColumn),
    rows: Maybe(
      Type.Array(
        Type.Record(
          Type.String({ maxLength: 100 }),
          Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean(), Type.Null()]),
          { maxProperties: 100 },
        ),
        {
          minItems: 1,
          maxItems: 1000,
          description: 'One object for each contact; its fields are the columns. Send more in a file',
        },
      ),
    ),
    spreadsheetId: Maybe(Id('sht', { maxLength: 64, description: 'One of your spreadsheets, instead of rows' })),
  },
  { examples: [{ rows: [{ telefone: '(11) 98765-4321', nome: 'Maria' }] }] },
)
export type NewContacts = Static<typeof NewContacts>

export const ImportQuery = Type.Object({ phoneColumn: Type.Optional(phoneColumn) })
export type ImportQuery = Static<typeof ImportQuery>

export const ContactImport = Type.Object(
  {
    id: Id('imp'),
    campaignId: Id('cmp'),
    status: Choice([...importStatuses], { examples: ['completed'] }),
    error: Nullable(Example('The file has no column with phone numbers')),
    rows: Type.Integer({ description: 'Read so far', examples: [1000] }),
    accepted: Type.Integer({ examples: [960] }),
    merged: Type.Integer({ description: 'Duplicates of an accepted row', examples: [20] }),
    rejected: Type.Integer({ examples: [15] }),
    suppressed: Type.Integer({ examples: [5] }),
    createdAt: Timestamp,
    endedAt: Nullable(Timestamp),
  },
  { title: 'CampaignImport' },
)
export type ContactImport = Static<typeof ContactImport>

export const ImportedRow = Type.Object(
  {
    number: Type.Integer({ description: 'Position in the list', examples: [7] }),
    line: Nullable(
      Type.Integer({
        description:
          'Row of the file as a spreadsheet program numbers it, header and empty rows counted; null: not from a file',
        examples: [8],
      }),
    ),
    cells: Type.Record(Type.String(), Type.String(), { examples: [{ nome: 'Maria', telefone: '123' }] }),
    result: Choice([...rowResults], { examples: ['rejected'] }),
    reason: Nullable(Example('number_invalid', { description: 'A code; of rejected and suppressed rows' })),
    contactId: Nullable(Id('cct')),
  },
  { title: 'CampaignImportedRow' },
)
export type ImportedRow = Static<typeof ImportedRow>

export const ImportedRowQuery = Type.Object({
  ...PageQuery.properties,
  result: Type.Optional(Choice([...rowResults], { examples: ['rejected'] })),
})
export type ImportedRowQuery = Static<typeof ImportedRowQuery>

export const Attempt = Type.Object(
  {
    id: Id('cat'),
    campaignId: Id('cmp'),
    contactId: Id('cct'),
    phoneNumber: Example('+5511987654321'),
    tryNumber: Type.Integer({ examples: [1] }),
    status: Choice([...attemptStatuses], { examples: ['ended'] }),
    outcome: Nullable(outcome),
    detail: Nullable(Example('The node that placed this call ended while it was dialing')),
    callerId: Nullable(Example('+551130000000')),
    callId: Nullable(Id('cal')),
    decision: FreeObject({ description: 'Rule pack and version, list versions, window and time zone' }),
    talkSeconds: Nullable(Type.Integer({ examples: [42] })),
    createdAt: Timestamp,
    dialedAt: Nullable(Timestamp),
    endedAt: Nullable(Timestamp),
  },
  { title: 'CampaignAttempt' },
)
export type Attempt = Static<typeof Attempt>

export const AttemptQuery = Type.Object({
  ...PageQuery.properties,
  contactId: Type.Optional(Id('cct')),
  status: Type.Optional(Choice([...attemptStatuses], { examples: ['in_doubt'] })),
  outcome: Type.Optional(outcome),
})
export type AttemptQuery = Static<typeof AttemptQuery>

export const ByCampaignContact = Type.Object({ id: Type.String(), contactId: Type.String() })
export const ByImport = Type.Object({ id: Type.String(), importId: Type.String() })

/** A person's finding about an attempt in doubt. */
export const Resolution = Body(
  {
    resolution: Choice(['completed', 'retry', 'give_up'], {
      description: 'completed: the person was reached; retry: call again, by the rules; give_up: no further attempt',
      examples: ['retry'],
    }),
  },
  { examples: [{ resolution: 'retry' }] },
)
export type Resolution = Static<typeof Resolution>

export const PreviewOptions = Body(
  { contacts: Maybe(Type.Integer({ minimum: 1, maximum: 100, description: 'Sample size', examples: [20] })) },
  { examples: [{ contacts: 20 }] },
)
export type PreviewOptions = Static<typeof PreviewOptions>

/** A dry run: nothing is stored or dialed. */
export const Preview = Type.Object(
  {
    canStart: Type.Boolean(),
    problems: Type.Array(
      Type.Object({
        field: Example('agentId'),
        code: Example('campaign_no_route'),
        message: Example('The agent has no trunk and no device to call by'),
      }),
      { description: 'What keeps it from starting' },
    ),
    total: Type.Integer({ description: 'Contacts that wait, and those who are suppressed', examples: [1000] }),
    evaluated: Type.Integer({
      description: 'Contacts that were looked at; the counts below are of these. At most 20,000',
      examples: [1000],
    }),
    callableNow: Type.Integer({ examples: [600] }),
    later: Type.Integer({ description: 'Outside their window now', examples: [380] }),
    suppressed: Type.Integer({ examples: [15] }),
    never: Type.Integer({ description: 'No permitted time at all', examples: [5] }),
    rejected: Type.Integer({
      description: 'Rows of the lists that were rejected: they are no contacts',
      examples: [87],
    }),
    firstAt: Nullable(Type.String({ format: 'date-time', description: 'The first attempt' })),
    estimatedEndAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'At the earliest: by the calls per second, without retries. Null where not every contact was looked at',
      }),
    ),
    sample: Type.Array(
      Type.Object({
        contactId: Id('cct'),
        phoneNumber: Example('+5511987654321'),
        result: Choice(['now', 'later', 'suppressed', 'never'], { examples: ['later'] }),
        at: Nullable(Timestamp),
        decision: FreeObject({ description: 'Why: window, time zone, region, holiday, list' }),
        greeting: Nullable(Example('Olá, Maria. Aqui é a assistente virtual da Clínica Vida.')),
      }),
    ),
    usage: Type.Object({
      month: Example('2026-11'),
      attempts: Type.Integer({ description: 'Of this caller in this month so far', examples: [12_000] }),
      threshold: Nullable(Type.Integer({ description: 'Of the rule pack', examples: [500_000] })),
    }),
  },
  { title: 'CampaignPreview' },
)
export type Preview = Static<typeof Preview>

export const ResultsQuery = Type.Object({
  format: Type.Optional(Choice(['csv', 'xlsx'], { examples: ['csv'], description: 'Default: csv' })),
})

/** Progress over time, for the chart. */
export const Progress = Type.Object(
  {
    contacts: FreeObject({ description: 'Number of contacts by status' }),
    outcomes: FreeObject({ description: 'Number of attempts by outcome' }),
    answerRate: Nullable(
      Type.Number({ description: 'Of the recent attempts, by a person or a machine, 0 to 1', examples: [0.31] }),
    ),
    shortCallShare: Nullable(
      Type.Number({ description: 'Of the recent answered calls: six seconds or less', examples: [0.42] }),
    ),
    hours: Type.Array(
      Type.Object({
        at: Timestamp,
        outcomes: FreeObject({ description: 'Number of attempts by outcome' }),
      }),
      { description: 'Attempts that ended in each hour, the last 72' },
    ),
    liveCalls: Type.Integer({ examples: [5] }),
  },
  { title: 'CampaignProgress' },
)
export type Progress = Static<typeof Progress>
