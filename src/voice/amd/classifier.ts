// AMD: classifies who answered an outbound call (person, voicemail or IVR) from timing, words and tones. Pure.
import { wordsIn } from '../turn/backchannel.ts'

export type AnsweredBy = 'human' | 'machine' | 'ivr' | 'unknown'

/** Times are media time; `time` is its progress. */
export type AmdSignal =
  | { type: 'speech'; on: boolean; atMs: number }
  | { type: 'transcript'; text: string }
  | { type: 'beep' | 'progress-tone'; atMs: number }
  | { type: 'time'; atMs: number }

export type AmdState = {
  readonly by: AnsweredBy | null
  /** Decided by words, which outweigh everything else. */
  readonly isByWords: boolean
  /** The greeting, including short breaks: its start, and the start of the latest silence in it. */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly isGreetingOver: boolean
  /** End of the latest speech; null during speech or before the first. */
  readonly quietFromMs: number | null
  /** End of the latest recording tone; a greeting after it is measured from scratch. */
  readonly toneMs: number
  /** The latest network tone before anybody spoke: the call may still be ringing. */
  readonly ringingMs: number
  /** As long as a voicemail greeting: the agent stays silent until there is a result. */
  readonly isSuspect: boolean
  /** Detection has ended. */
  readonly isOver: boolean
}

export const initialAmdState: AmdState = {
  by: null,
  isByWords: false,
  fromMs: null,
  toMs: null,
  isGreetingOver: false,
  quietFromMs: null,
  toneMs: 0,
  ringingMs: 0,
  isSuspect: false,
  isOver: false,
}

/** People say hello and wait … */
const HELLO_MS = 2500
const BREAK_MS = 500
/** … a voicemail keeps talking. A receptionist may too, but only a voicemail plays a tone, within TONE_WAIT_MS of its last word. */
const GREETING_MS = 4000
const TONE_WAIT_MS = 1500
/** No person talks this long when answering. */
const MONOLOGUE_MS = 12_000
/** After a short hello a tone counts only within this time; later it may be background noise. */
const TONE_AFTER_MS = 3000
const GIVE_UP_MS = 20_000

// Without accents and punctuation, as the text when it is matched.
// Phrases that people say too ("não posso atender agora") are left out: they must not end the call.
const voicemailPhrases = [
  'caixa postal|correio de voz|(deixe|grave) (a |o )?(sua|seu|uma|um) (mensagem|recado)|secretaria eletronica',
  '(apos o|depois do) (sinal|bip|beep|tom)|(esta|encontra se) (desligado|fora da area|temporariamente)',
  'leave (me |us )?(a|your) (short |brief |detailed )?(message|name)|(after|at) the (tone|beep)|voice ?mail|mailbox|record your message',
  'not available to take your call|(can t|cannot|can not|unable to) (come to the phone|take your call)',
  '(deje|deja|grabe) (su|tu|un|una|el) (mensaje|recado|nombre)|despues (del|de la|de oir el|de oir la) (tono|senal|bip)',
  'buzon (de voz|de mensajes)|casilla de (voz|mensajes)|contestador automatico|contestadora',
]
const ivrPhrases = [
  '(digite|disque|tecle|aperte|pressione|marque) (a |o |uma |sua )?(tecla |numero |opcao )?([0-9]|zero|um|dois|tres|asterisco|jogo da velha)',
  'para .{1,60} (digite|disque|tecle|aperte|pressione)|(digite|tecle|disque) (o |a |seu |sua )?(ramal|cpf|opcao|numero)',
  '(press|dial) ([0-9]|one|two|three|zero|star|pound|the (star|pound))|(press|enter|dial) (your|the) (extension|account|number)',
  'para .{1,60} (marque|pulse|oprima|presione|digite)|(marque|pulse|oprima|presione) (el |la |su )?(tecla |numero )?([0-9]|uno|dos|tres|cero)',
]
const anyOf = (words: readonly string[]) => new RegExp(`\\b(${words.join('|')})\\b`)
const isVoicemailText = anyOf(voicemailPhrases)
const isIvrText = anyOf(ivrPhrases)
/** Enough for a greeting; bounds the cost of the regular expressions. */
const MAX_LETTERS = 1000

export function answeredByWords(text: string): 'machine' | 'ivr' | null {
  const said = wordsIn(text.slice(0, MAX_LETTERS)).join(' ')
  if (isVoicemailText.test(said)) return 'machine'
  return isIvrText.test(said) ? 'ivr' : null
}

export function classify(before: AmdState, signal: AmdSignal): AmdState {
  if (before.isOver) return before
  switch (signal.type) {
    case 'speech': {
      const quietFromMs = signal.on ? null : signal.atMs
      const isOfBefore = before.fromMs === null && (!signal.on || signal.atMs < before.toneMs)
      if (before.isGreetingOver || isOfBefore) return { ...before, quietFromMs }
      return { ...before, quietFromMs, fromMs: before.fromMs ?? signal.atMs, toMs: quietFromMs }
    }
    case 'transcript': {
      // Words outweigh timing, also after a short hello.
      const by = before.by === 'machine' && before.isByWords ? null : answeredByWords(signal.text)
      return by ? known(before, by, { isByWords: true }) : before
    }
    case 'beep':
      return isRecordingTone(before, signal.atMs) ? machineByTone(before, signal.atMs) : before
    case 'progress-tone':
      return before.fromMs === null && before.by === null ? { ...before, ringingMs: signal.atMs } : before
    case 'time':
      if (signal.atMs - before.ringingMs >= GIVE_UP_MS) return known(before, before.by ?? 'unknown', { isOver: true })
      return before.isGreetingOver || before.fromMs === null ? before : timed(before, before.fromMs, signal.atMs)
  }
}

const known = (before: AmdState, by: AnsweredBy, more: Partial<AmdState> = {}): AmdState => ({
  ...before,
  ...more,
  by,
  isSuspect: false,
})

/** A short hello after the tone still changes the result to human. */
const machineByTone = (before: AmdState, toneMs: number): AmdState =>
  known(before, 'machine', { toneMs, fromMs: null, toMs: null, isGreetingOver: false })

/** A voicemail speaks before its tone. A tone outweighs timing, but not words: IVRs play tones too. */
function isRecordingTone({ by, isByWords, fromMs, quietFromMs }: AmdState, atMs: number): boolean {
  if (by === null) return fromMs !== null
  return by === 'human' && !isByWords && quietFromMs !== null && atMs - quietFromMs <= TONE_AFTER_MS
}

function timed(before: AmdState, fromMs: number, nowMs: number): AmdState {
  const spokeMs = (before.toMs ?? nowMs) - fromMs
  const quietMs = before.toMs === null ? 0 : nowMs - before.toMs
  if (spokeMs > MONOLOGUE_MS) return known(before, before.by ?? 'machine', { isGreetingOver: true })
  const isHello = spokeMs <= HELLO_MS
  if (quietMs >= (isHello ? BREAK_MS : TONE_WAIT_MS)) {
    const isCorrected = isHello && !before.isByWords
    return known(before, isCorrected ? 'human' : (before.by ?? 'human'), { isGreetingOver: true })
  }
  return spokeMs > GREETING_MS && before.by === null && !before.isSuspect ? { ...before, isSuspect: true } : before
}
