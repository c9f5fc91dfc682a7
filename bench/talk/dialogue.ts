// A caller of the talk benchmark: their voice, their line and their turns.
import type { Intent } from './intents.ts'

export type Language = 'pt-BR' | 'en-US' | 'es-ES'

/** Classes in the order of the report. */
export const talkClasses = [
  'plain',
  'one-word',
  'hesitant',
  'dictation',
  'collect',
  'backchannel',
  'backchannel-loud',
  'interruption',
  'sounds',
  'tics',
  'side-talk',
  'tv-15',
  'tv-20',
  'noise',
  'level',
  'loss',
  'voices',
  'over-greeting',
  'never-pauses',
  'silence',
] as const
export type TalkClass = (typeof talkClasses)[number]

/** Words, or a pause in milliseconds. */
export type Part = string | number

/** A short sound over the agent's reply, which must not stop it, or in the silence after it, which must not be answered. */
export type Overlap = {
  /** Measured from the first sound of the reply, or from its last if it is `inSilence`. */
  readonly atMs: number
  readonly inSilence?: boolean
  /** Words are a backchannel, a cough is a vocal tic; other sounds are no utterances. */
  readonly kind?: 'tic' | 'side-talk'
  readonly say?: string
  readonly sound?: 'cough' | 'keys' | 'door'
  /** Level relative to the caller's own turns. */
  readonly db?: number
}

export type CallerTurn = {
  readonly parts: readonly Part[]
  /** The intent that the model must understand; null: nothing to answer. */
  readonly asks: Intent | null
  /** The number dictated in this turn. */
  readonly digits?: string
  /** The model replies by calling `collect` for this kind; if the function is not offered, the model asks by itself. */
  readonly collects?: 'cpf' | 'phone' | 'cep'
  /** The digits are those that `collect` handed to the model, not those of the transcript. */
  readonly isCollected?: boolean
  /**
   * The model's reply, if it differs from the usual one of the intent. The dialogue also goes on with it if the intent
   * was not understood.
   */
  readonly reply?: string
  /**
   * Starts this long after the first sound of the agent's reply: an interruption. Otherwise the turn starts after the
   * reply.
   */
  readonly intoMs?: number
  /** Starts this long after the call was answered. */
  readonly answeredMs?: number
  readonly overlaps?: readonly Overlap[]
}

export type NoiseKind = 'white' | 'street' | 'babble'
export type LineCondition = {
  readonly levelDb?: number
  /** Clips the audio this many dB over full scale. */
  readonly clipDb?: number
  readonly noise?: { readonly kind: NoiseKind; readonly snrDb: number }
  /** Another voice talks during the whole call, at this level relative to the caller. */
  readonly tvDb?: number
  readonly lossPercent?: number
}

export type Dialogue = {
  readonly id: string
  readonly class: TalkClass
  readonly language: Language
  /** A key of `voices`. */
  readonly voice: string
  /** The agent addresses the caller by this name, so no reply comes from the speech cache. */
  readonly name: string
  readonly turns: readonly CallerTurn[]
  readonly line?: LineCondition
}

/** The words of a turn without its pauses. */
export const wordsOf = ({ parts }: CallerTurn): string => parts.filter((part) => typeof part === 'string').join(' ')
