// Who answered a call of ours: a person, a mailbox or a menu. Pure: told what is heard on the line, by time, words and tones.
import { wordsIn } from './backchannel.ts'

export type Answerer = 'human' | 'machine' | 'ivr' | 'unknown'

/** Times are of the sound that was heard. `time` tells how far that is. */
export type Sign =
  | { type: 'voice'; on: boolean; atMs: number }
  | { type: 'words'; text: string }
  | { type: 'beep'; atMs: number }
  | { type: 'time'; atMs: number }

export type Screening = {
  readonly by: Answerer | null
  /** By its own words: nothing else counts then. */
  readonly isSaid: boolean
  /** The first speech, with its short breaks: where it began, and where its last voice ended, if that has. */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly isFirstOver: boolean
  /** Where the last voice ended; null while one is heard, or before the first. */
  readonly quietFromMs: number | null
  /** It talks on as a mailbox does: nothing is to be said until it is known what it is. */
  readonly isSuspect: boolean
  /** Nothing is found out any more. */
  readonly isOver: boolean
}

export const unscreened: Screening = {
  by: null,
  isSaid: false,
  fromMs: null,
  toMs: null,
  isFirstOver: false,
  quietFromMs: null,
  isSuspect: false,
  isOver: false,
}

/** A person says hello and waits … */
const HELLO_MS = 2500
const BREAK_MS = 500
/** … and a mailbox talks on, as a company's receptionist may: only the mailbox then gives a tone, at most so long after its last word. */
const GREETING_MS = 4000
const TONE_WAIT_MS = 1500
/** Nobody answers the telephone with so long a speech. */
const MONOLOGUE_MS = 12_000
/** A tone after a hello is that of a short greeting only if it comes so soon; later it may be anything in the room. */
const TONE_AFTER_MS = 3000
const GIVE_UP_MS = 20_000

// Without accents and punctuation, as the text is when they are looked for.
// What a person may say too ("não posso atender agora") is left out: nobody is to be hung up on for it.
const mailboxWords = [
  'caixa postal|correio de voz|(deixe|grave) (a |o )?(sua|seu|uma|um) (mensagem|recado)|secretaria eletronica',
  '(apos o|depois do) (sinal|bip|beep|tom)|(esta|encontra se) (desligado|fora da area|temporariamente)',
  'leave (me |us )?(a|your) (short |brief |detailed )?(message|name)|(after|at) the (tone|beep)|voice ?mail|mailbox|record your message',
  'not available to take your call|(can t|cannot|can not|unable to) (come to the phone|take your call)',
  '(deje|deja|grabe) (su|tu|un|una|el) (mensaje|recado|nombre)|despues (del|de la|de oir el|de oir la) (tono|senal|bip)',
  'buzon (de voz|de mensajes)|casilla de (voz|mensajes)|contestador automatico|contestadora',
]
const menuWords = [
  '(digite|disque|tecle|aperte|pressione|marque) (a |o |uma |sua )?(tecla |numero |opcao )?([0-9]|zero|um|dois|tres|asterisco|jogo da velha)',
  'para .{1,60} (digite|disque|tecle|aperte|pressione)|(digite|tecle|disque) (o |a |seu |sua )?(ramal|cpf|opcao|numero)',
  '(press|dial) ([0-9]|one|two|three|zero|star|pound|the (star|pound))|(press|enter|dial) (your|the) (extension|account|number)',
  'para .{1,60} (marque|pulse|oprima|presione|digite)|(marque|pulse|oprima|presione) (el |la |su )?(tecla |numero )?([0-9]|uno|dos|tres|cero)',
]
const anyOf = (words: readonly string[]) => new RegExp(`\\b(${words.join('|')})\\b`)
const saysMailbox = anyOf(mailboxWords)
const saysMenu = anyOf(menuWords)
/** A greeting says what it is in so many letters; more would only take time. */
const FIRST_LETTERS = 1000

export function answererIn(text: string): 'machine' | 'ivr' | null {
  const said = wordsIn(text.slice(0, FIRST_LETTERS)).join(' ')
  if (saysMailbox.test(said)) return 'machine'
  return saysMenu.test(said) ? 'ivr' : null
}

export function screened(before: Screening, sign: Sign): Screening {
  if (before.isOver) return before
  switch (sign.type) {
    case 'voice': {
      const quietFromMs = sign.on ? null : sign.atMs
      if (before.isFirstOver) return { ...before, quietFromMs }
      return { ...before, quietFromMs, fromMs: before.fromMs ?? sign.atMs, toMs: quietFromMs }
    }
    case 'words': {
      // What it says is a better sign than how long it speaks, also after a short hello.
      const by = before.by === 'machine' && before.isSaid ? null : answererIn(sign.text)
      return by ? known(before, by, { isSaid: true }) : before
    }
    case 'beep':
      return isRecordingTone(before, sign.atMs) ? known(before, 'machine') : before
    case 'time':
      if (sign.atMs >= GIVE_UP_MS) return known(before, before.by ?? 'unknown', { isOver: true })
      return before.isFirstOver || before.fromMs === null ? before : timed(before, before.fromMs, sign.atMs)
  }
}

const known = (before: Screening, by: Answerer, more: Partial<Screening> = {}): Screening => ({
  ...before,
  ...more,
  by,
  isSuspect: false,
})

/** It overrules how the first speech sounded, but not what was said: menus have tones too. */
function isRecordingTone({ by, isSaid, quietFromMs }: Screening, atMs: number): boolean {
  if (by === null) return true
  return by === 'human' && !isSaid && quietFromMs !== null && atMs - quietFromMs <= TONE_AFTER_MS
}

function timed(before: Screening, fromMs: number, nowMs: number): Screening {
  const spokeMs = (before.toMs ?? nowMs) - fromMs
  const quietMs = before.toMs === null ? 0 : nowMs - before.toMs
  if (spokeMs > MONOLOGUE_MS) return known(before, before.by ?? 'machine', { isFirstOver: true })
  if (quietMs >= (spokeMs <= HELLO_MS ? BREAK_MS : TONE_WAIT_MS))
    return known(before, before.by ?? 'human', { isFirstOver: true })
  return spokeMs > GREETING_MS && before.by === null && !before.isSuspect ? { ...before, isSuspect: true } : before
}
