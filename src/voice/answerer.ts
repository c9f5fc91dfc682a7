// Who answered a call of ours: a person, a mailbox or a menu. Pure: told what is heard on the line, by time, words and tones.
import { wordsIn } from './small-words.ts'

export type Answerer = 'human' | 'machine' | 'ivr' | 'unknown'

/** Times are of the sound that was heard. `time` tells how far that is. */
export type Sign =
  | { type: 'voice'; on: boolean; atMs: number }
  | { type: 'words'; text: string }
  | { type: 'beep' }
  | { type: 'time'; atMs: number }

export type Screening = {
  readonly by: Answerer | null
  /** By its own words: nothing else counts then. */
  readonly isSaid: boolean
  /** The first speech, with its short breaks: where it began, and where its last voice ended, if that has. */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly isFirstOver: boolean
  /** Nothing is found out any more. */
  readonly isOver: boolean
}

export const unscreened: Screening = {
  by: null,
  isSaid: false,
  fromMs: null,
  toMs: null,
  isFirstOver: false,
  isOver: false,
}

/** A person says hello and waits … */
const HELLO_MS = 2500
const BREAK_MS = 500
/** … and a mailbox talks on. */
const GREETING_MS = 4000
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
    case 'voice':
      if (before.isFirstOver) return before
      return { ...before, fromMs: before.fromMs ?? sign.atMs, toMs: sign.on ? null : sign.atMs }
    case 'words': {
      // What it says is a better sign than how long it speaks, also after a short hello.
      const by = before.by === 'machine' && before.isSaid ? null : answererIn(sign.text)
      return by ? { ...before, by, isSaid: true } : before
    }
    case 'beep':
      return before.by === null ? { ...before, by: 'machine' } : before
    case 'time':
      if (sign.atMs >= GIVE_UP_MS) return { ...before, by: before.by ?? 'unknown', isOver: true }
      return before.isFirstOver || before.fromMs === null ? before : timed(before, before.fromMs, sign.atMs)
  }
}

function timed(before: Screening, fromMs: number, nowMs: number): Screening {
  const spokeMs = (before.toMs ?? nowMs) - fromMs
  const isFirstOver = before.toMs !== null && nowMs - before.toMs >= BREAK_MS
  const by = spokeMs > GREETING_MS ? 'machine' : isFirstOver && spokeMs <= HELLO_MS ? 'human' : null
  if (!isFirstOver && by === null) return before
  return { ...before, isFirstOver: isFirstOver || by !== null, by: before.by ?? by }
}
