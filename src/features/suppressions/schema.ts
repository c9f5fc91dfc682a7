// API schema of suppressions: numbers that no campaign calls, and imported lists.
import { type Static, Type } from 'typebox'
import { suppressionReasons } from '../../base/domain/campaigns.ts'
import {
  Body,
  Choice,
  Example,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  Text,
  Timestamp,
} from '../../http/schema.ts'

export const Suppression = Type.Object(
  {
    id: Id('sup'),
    listId: Nullable(Id('sul', { description: 'null: your own list' })),
    phoneNumber: Nullable(Example('+5511987654321', { description: 'null: only its keyed hash is kept' })),
    reason: Choice([...suppressionReasons], { examples: ['opt_out'] }),
    note: Nullable(Example('Pediu por e-mail')),
    campaignId: Nullable(Id('cmp')),
    callId: Nullable(Id('cal', { description: 'The call in which it was asked for' })),
    createdAt: Timestamp,
  },
  { title: 'Suppression' },
)
export type Suppression = Static<typeof Suppression>

export const NewSuppression = Body(
  {
    phoneNumber: Text(64, { examples: ['+5511987654321'] }),
    defaultCountry: Maybe(Type.String({ pattern: '^[A-Z]{2}$', examples: ['BR'] })),
    reason: Maybe(Choice(['opt_out', 'wrong_person', 'manual'], { examples: ['manual'] })),
    note: Maybe(Type.String({ maxLength: 500 })),
  },
  { examples: [{ phoneNumber: '+5511987654321', note: 'Pediu por e-mail' }] },
)
export type NewSuppression = Static<typeof NewSuppression>

export const SuppressionQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('A number in any notation, a part of one, or words of the note', '98765'),
  listId: Type.Optional(Type.String({ maxLength: 64, description: 'A list; own: your own', examples: ['own'] })),
  reason: Type.Optional(Choice([...suppressionReasons], { examples: ['opt_out'] })),
})
export type SuppressionQuery = Static<typeof SuppressionQuery>

/** Whether this number is suppressed, and by what. */
export const SuppressionCheck = Body(
  {
    phoneNumber: Text(64, { examples: ['+5511987654321'] }),
    defaultCountry: Maybe(Type.String({ pattern: '^[A-Z]{2}$', examples: ['BR'] })),
  },
  { examples: [{ phoneNumber: '+5511987654321' }] },
)
export const SuppressionResult = Type.Object(
  {
    phoneNumber: Example('+5511987654321'),
    isSuppressed: Type.Boolean(),
    suppressions: Type.Array(Suppression),
  },
  { title: 'SuppressionResult' },
)
export type SuppressionResult = Static<typeof SuppressionResult>

const listName = Text(100, { examples: ['Não Me Ligue (Procon-SP)'] })
const sector = Type.String({
  maxLength: 64,
  description: 'Free text: what kind of calls it forbids; null: all',
  examples: ['vendas e cobrança'],
})
const effectiveAt = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'It holds from this moment',
  examples: ['2026-12-01T03:00:00.000Z'],
})
export const SuppressionList = Type.Object(
  {
    id: Id('sul'),
    name: listName,
    sector: Nullable(sector),
    effectiveAt,
    version: Type.Integer({ description: 'Grows with each import; stands in every decision', examples: [3] }),
    entryCount: Type.Integer({ examples: [9500] }),
    importedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'SuppressionList' },
)
export type SuppressionList = Static<typeof SuppressionList>

export const NewSuppressionList = Body(
  { name: listName, sector: Maybe(sector), effectiveAt: Maybe(effectiveAt) },
  { examples: [{ name: 'Não Me Ligue (Procon-SP)', sector: 'vendas e cobrança' }] },
)
export type NewSuppressionList = Static<typeof NewSuppressionList>
export const SuppressionListPatch = Body(
  { name: Type.Optional(listName), sector: Maybe(sector), effectiveAt: Type.Optional(effectiveAt) },
  { examples: [{ sector: 'vendas' }] },
)
export type SuppressionListPatch = Static<typeof SuppressionListPatch>

export const SuppressionImport = Type.Object(
  {
    list: SuppressionList,
    rows: Type.Integer({ examples: [9600] }),
    added: Type.Integer({ examples: [9500] }),
    duplicates: Type.Integer({ examples: [80] }),
    rejected: Type.Integer({ description: 'Rows without a valid number', examples: [20] }),
    withoutNumber: Type.Integer({ description: 'Of the rejected rows: those with an empty cell', examples: [8] }),
  },
  { title: 'SuppressionImport' },
)
export type SuppressionImport = Static<typeof SuppressionImport>
