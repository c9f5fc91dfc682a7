// A rule pack: when and how often people may be called, as data. Every rule names its source and the day on which it was consulted.
// Built-in packs are the JSON files in `packs/`, with texts in three languages; users copy and edit them.
import { type Static, Type } from 'typebox'

const source = Type.String({ minLength: 1, maxLength: 500 })
const date = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const ruleId = Type.String({ pattern: '^[a-z0-9-]{1,64}$' })
const strict = { additionalProperties: false }

export const PackWindow = Type.Object(
  {
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 }), // 1 is Monday
    from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
    to: Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$' }), // exclusive
  },
  strict,
)
export type PackWindow = Static<typeof PackWindow>

/** An attempt must be inside one window of every rule that applies to the region of the number. */
export const WindowRule = Type.Object(
  {
    id: ruleId,
    regions: Type.Union([
      Type.Null(),
      Type.Array(Type.String({ pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$' }), { minItems: 1, maxItems: 300 }),
    ]), // ISO 3166: BR, BR-RJ; null: everywhere
    windows: Type.Array(PackWindow, { minItems: 1, maxItems: 21 }),
    source,
    date,
  },
  strict,
)
export type WindowRule = Static<typeof WindowRule>

/** At most `max` attempts to one number within `hours`, over all campaigns of a user. */
export const FrequencyRule = Type.Object(
  {
    id: ruleId,
    max: Type.Integer({ minimum: 1, maximum: 1000 }),
    hours: Type.Integer({ minimum: 1, maximum: 744 }),
    source,
    date,
  },
  strict,
)
export type FrequencyRule = Static<typeof FrequencyRule>

export const RulePack = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64 }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    version: Type.Integer({ minimum: 1 }),
    date,
    countries: Type.Union([
      Type.Null(),
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { minItems: 1, maxItems: 250 }),
    ]), // null: any
    windows: Type.Array(WindowRule, { minItems: 1, maxItems: 200 }),
    holidays: Type.Union([
      Type.Null(),
      Type.Object(
        {
          id: ruleId,
          /** Kinds of the holiday library on which nobody is called. */
          kinds: Type.Array(Type.Union([Type.Literal('national'), Type.Literal('state'), Type.Literal('optional')]), {
            minItems: 1,
            maxItems: 3,
          }),
          /** Dates of one's own, in the time zone of the person called. */
          dates: Type.Array(date, { maxItems: 400 }),
          source,
          date,
        },
        strict,
      ),
    ]),
    frequency: Type.Array(FrequencyRule, { maxItems: 20 }),
    spacing: Type.Union([
      Type.Null(),
      Type.Object({ id: ruleId, minutes: Type.Integer({ minimum: 1, maximum: 44_640 }), source, date }, strict),
    ]),
    /** Attempts of one caller ID in a calendar month: warned at these shares; `stops`: no attempt beyond the threshold. */
    monthly: Type.Union([
      Type.Null(),
      Type.Object(
        {
          id: ruleId,
          threshold: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
          warnAt: Type.Array(Type.Number({ minimum: 0.01, maximum: 1 }), { minItems: 1, maxItems: 5 }),
          stops: Type.Boolean(),
          source,
          date,
        },
        strict,
      ),
    ]),
    /** Carriers block callers with too many calls of a few seconds. `slowAt` and `pauseAt`: share of the recent attempts. */
    shortCalls: Type.Union([
      Type.Null(),
      Type.Object(
        {
          id: ruleId,
          seconds: Type.Integer({ minimum: 1, maximum: 60 }),
          slowAt: Type.Number({ minimum: 0.01, maximum: 1 }),
          pauseAt: Type.Number({ minimum: 0.01, maximum: 1 }),
          minAttempts: Type.Integer({ minimum: 10, maximum: 1_000_000 }),
          /** Attempts a day from which unanswered ones count as short; null: they never do. */
          unansweredFrom: Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: 100_000_000 })]),
          source,
          date,
        },
        strict,
      ),
    ]),
    disclosure: Type.Object({ id: ruleId, isRequired: Type.Boolean(), source, date }, strict),
  },
  strict,
)
export type RulePack = Static<typeof RulePack>
