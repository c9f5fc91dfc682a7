// API schema of calling rules: built-in packs, and packs that users copied and edited.
import { type Static, Type } from 'typebox'
import { Body, Choice, Example, FreeObject, Id, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'

const name = Text(100, { examples: ['Brasil, nossa clínica'] })

export const CallingRules = Type.Object(
  {
    id: Id('crl', { description: 'Of a pack of yours; those of the product have names, such as br-strict' }),
    name,
    isBuiltIn: Type.Boolean(),
    version: Type.Integer({ description: 'Stands in every decision', examples: [1] }),
    pack: FreeObject({
      description:
        'Windows, holidays, frequency, spacing and thresholds, each with its source and the day it was consulted',
    }),
    texts: Type.Optional(
      Type.Array(Type.Object({ en: Type.String(), pt: Type.String(), es: Type.String() }), {
        description: 'Names and sources that the product wrote, in three languages; the pack has them in English',
        examples: [[{ en: 'Brazil, strict', pt: 'Brasil, estrito', es: 'Brasil, estricto' }]],
      }),
    ),
    createdAt: Nullable(Timestamp),
    updatedAt: Nullable(Timestamp),
  },
  { title: 'CallingRules' },
)
export type CallingRules = Static<typeof CallingRules>

export const NewCallingRules = Body(
  {
    name,
    copyOf: Maybe(Type.String({ maxLength: 64, description: 'The pack to start from', examples: ['br-strict'] })),
    pack: Maybe(FreeObject({ description: 'A whole pack, instead of copyOf' })),
  },
  { examples: [{ name: 'Brasil, nossa clínica', copyOf: 'br-strict' }] },
)
export type NewCallingRules = Static<typeof NewCallingRules>

export const CallingRulesPatch = Body(
  { name: Type.Optional(name), pack: Maybe(FreeObject({ description: 'The whole pack' })) },
  { examples: [{ name: 'Brasil, 9 às 17 h' }] },
)
export type CallingRulesPatch = Static<typeof CallingRulesPatch>

export const RuleQuestion = Body(
  {
    phoneNumber: Text(64, { examples: ['+5511987654321'] }),
    at: Maybe(Type.String({ format: 'date-time', maxLength: 40, description: 'null: now' })),
  },
  { examples: [{ phoneNumber: '+5511987654321' }] },
)
export type RuleQuestion = Static<typeof RuleQuestion>

export const RuleAnswer = Type.Object(
  {
    result: Choice(['now', 'later', 'never'], { examples: ['later'] }),
    at: Nullable(Timestamp),
    reason: Nullable(Example('no_window')),
    decision: FreeObject({ description: 'Rules, regions, time zones and window' }),
  },
  { title: 'RuleAnswer' },
)
export type RuleAnswer = Static<typeof RuleAnswer>
