// Whisper's tokenizer: decoding, encoding of hints, special tokens.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { whisperFiles } from './folder.ts'

export type WhisperTokens = {
  /** The decoder's first tokens: hints and prompt, if any, then start, language, task and no timestamps. */
  opening(language: string, hints: readonly string[], prompt?: string): number[]
  /** A word starts with the space before it. */
  encode(text: string): number[]
  /** The position in the opening at which the model gives the probability of no speech. */
  readonly noSpeech: number
  readonly end: number
  /** 1 for tokens that are never text; the second list also applies at the start of an utterance. */
  readonly suppressed: Uint8Array
  readonly suppressedFirst: Uint8Array
  /** 1 for tokens that start with a letter or digit instead of a space or mark: they belong to the word before. */
  readonly continuesWord: Uint8Array
  textOf(tokens: readonly number[]): string
}

type Generation = {
  lang_to_id: Record<string, number>
  task_to_id: { transcribe: number }
  eos_token_id: number
  decoder_start_token_id: number
  no_timestamps_token_id: number
  suppress_tokens: number[]
  begin_suppress_tokens: number[]
}

/** More would cost time and push the model to repeat them. */
const MAX_HINT_TOKENS = 64
const MAX_PROMPT_TOKENS = 40
/** Characters of hints and prompt that are used. */
const MAX_CONTEXT_LETTERS = 400

/** BCP 47 subtags that have another name in Whisper. */
const otherNames: Readonly<Record<string, string>> = { jv: 'jw', nb: 'no', fil: 'tl', iw: 'he', cmn: 'zh', in: 'id' }

/** Whisper's name for a BCP 47 language: pt-BR is pt. */
export const whisperLanguage = (language: string): string => {
  const primary = language.toLowerCase().split(/[-_]/)[0] as string
  return otherNames[primary] ?? primary
}

export async function loadTokens(folder: string): Promise<WhisperTokens> {
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const generation = JSON.parse(await read(whisperFiles.generation)) as Generation
  const vocabulary = new Map(Object.entries(JSON.parse(await read(whisperFiles.vocabulary)) as Record<string, number>))
  const merges = (await read(whisperFiles.merges)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const rank = new Map(merges.map((line, i) => [line, i]))
  const written: string[] = []
  for (const [text, id] of vocabulary) written[id] = text
  const end = generation.eos_token_id
  const start = generation.decoder_start_token_id
  const suppressed = mask(end, generation.suppress_tokens)

  function encode(text: string): number[] {
    const words = text.match(/ ?[\p{L}\p{M}]+| ?\p{N}+| ?[^\s\p{L}\p{M}\p{N}]+/gu) ?? []
    return words.flatMap((word) => mergedBytes(word, rank).flatMap((piece) => vocabulary.get(piece) ?? []))
  }

  /** Hints, then what was said before: the model continues from the end of it, so its end is kept. */
  function previousText(hints: readonly string[], prompt: string): number[] {
    const terms =
      hints.length > 0 ? encode(` ${hints.join(', ').slice(0, MAX_CONTEXT_LETTERS)}.`).slice(0, MAX_HINT_TOKENS) : []
    const said = prompt === '' ? [] : encode(` ${prompt.slice(-MAX_CONTEXT_LETTERS).trim()}`).slice(-MAX_PROMPT_TOKENS)
    return terms.length + said.length > 0 ? [generation.no_timestamps_token_id - 2, ...terms, ...said] : []
  }

  return {
    end,
    noSpeech: generation.no_timestamps_token_id - 1,
    suppressed,
    suppressedFirst: mask(end, [...generation.suppress_tokens, ...generation.begin_suppress_tokens]),
    continuesWord: mask(
      end,
      written.flatMap((text, id) => (id < end && isWordByte(byteOf.get(text.charAt(0))) ? [id] : [])),
    ),
    encode,
    opening(language, hints, prompt = '') {
      const id = generation.lang_to_id[`<|${whisperLanguage(language)}|>`]
      if (id === undefined) throw new Error(`Whisper does not know the language ${language}`)
      const { transcribe } = generation.task_to_id
      return [...previousText(hints, prompt), start, id, transcribe, generation.no_timestamps_token_id]
    },
    textOf(tokens) {
      const bytes = tokens.flatMap((token) => [...(written[token] ?? '')].map((letter) => byteOf.get(letter) ?? 63))
      return Buffer.from(bytes).toString('utf8').trim()
    },
  }
}

function mask(size: number, tokens: readonly number[]): Uint8Array {
  const out = new Uint8Array(size + 1)
  for (const token of tokens) out[token] = 1
  return out
}

/** The vocabulary writes each byte as a visible letter: printable ones unchanged, the rest from U+0100 on. */
const letterOf = (() => {
  const isPlain = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPlain(byte) ? byte : next++))
})()
const byteOf = new Map(letterOf.map((letter, byte) => [letter, byte]))

/** A digit, a letter, or a byte of a letter beyond ASCII. */
const isWordByte = (byte = 0): boolean => byte >= 128 || /[\dA-Za-z]/.test(String.fromCharCode(byte))

/** Byte pair encoding of one word: pairs are joined in the order in which they were learnt. */
function mergedBytes(word: string, rank: ReadonlyMap<string, number>): string[] {
  let pieces = [...Buffer.from(word)].map((byte) => letterOf[byte] as string)
  while (pieces.length > 1) {
    let best = -1
    let bestRank = Number.POSITIVE_INFINITY
    for (let i = 0; i + 1 < pieces.length; i++) {
      const known = rank.get(`${pieces[i]} ${pieces[i + 1]}`)
      if (known !== undefined && known < bestRank) {
        bestRank = known
        best = i
      }
    }
    if (best < 0) break
    pieces = [...pieces.slice(0, best), `${pieces[best]}${pieces[best + 1]}`, ...pieces.slice(best + 2)]
  }
  return pieces
}
