// Writes a small GGUF file of the llama architecture: random weights, and a vocabulary of bytes and a few words.
import { open } from 'node:fs/promises'

export type GgufSize = {
  layers: number
  embedding: number
  feedForward: number
  heads: number
  context: number
  always?: string
}

export const tinySize: GgufSize = { layers: 2, embedding: 64, feedForward: 128, heads: 2, context: 8192 }
/** Says the same thing whatever the prompt: the prefix of a tool call. */
export const callingSize: GgufSize = { ...tinySize, layers: 1, always: '||call:' }
/** Slow enough to measure: several milliseconds per token. */
export const measuredSize: GgufSize = { layers: 8, embedding: 512, feedForward: 1536, heads: 8, context: 4096 }

const words =
  'yes no good morning the doctor is in on monday at nine please hold what name shall I write down thank you'
const ALIGNMENT = 32
const valueType = { u32: 4, f32: 6, text: 8, array: 9, i32: 5 } as const
const tokenType = { normal: 1, unknown: 2, control: 3, byte: 6 } as const

type Token = { text: string; type: number }
type Tensor = { name: string; shape: number[]; fill: (at: number) => number }

const vocabulary = (always: string | undefined): Token[] => [
  { text: '<unk>', type: tokenType.unknown },
  { text: '<s>', type: tokenType.control },
  { text: '</s>', type: tokenType.control },
  ...Array.from({ length: 256 }, (_, byte) => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    type: tokenType.byte,
  })),
  ...[...new Set(words.split(' ')), ...(always ? [always] : [])].map((word) => ({
    text: `▁${word}`,
    type: tokenType.normal,
  })),
]

export async function writeTinyGguf(path: string, size: GgufSize = tinySize): Promise<void> {
  const tokens = vocabulary(size.always)
  const tensors = tensorsOf(size, tokens)
  const file = await open(path, 'w')
  try {
    const head = headOf(size, tokens, tensors)
    await file.write(Buffer.concat([head, Buffer.alloc(padding(head.length))]))
    for (const { shape, fill } of tensors) {
      const values = Float32Array.from({ length: count(shape) }, (_, at) => fill(at))
      await file.write(Buffer.from(values.buffer))
      await file.write(Buffer.alloc(padding(values.byteLength)))
    }
  } finally {
    await file.close()
  }
}

const padding = (bytes: number) => (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT
const count = (shape: number[]) => shape.reduce((all, one) => all * one, 1)

function tensorsOf({ layers, embedding, feedForward, always }: GgufSize, tokens: readonly Token[]): Tensor[] {
  const random = generator(7)
  const noise = (scale: number) => () => (random() * 2 - 1) * scale
  const one = () => 1
  const matrix = (name: string, from: number, to: number): Tensor => ({
    name: `${name}.weight`,
    shape: [from, to],
    fill: always ? () => 0 : noise(1 / Math.sqrt(from)),
  })
  const norm = (name: string): Tensor => ({ name: `${name}.weight`, shape: [embedding], fill: one })
  // Only words can be the most likely token: bytes and control tokens get logit 0.
  const isWord = (at: number) => tokens[Math.floor(at / embedding)]?.type === tokenType.normal
  const likely = noise(always ? 0.01 : 1)
  // Every token's embedding has 1 in the first dimension, and only the output of the last token reads it.
  const isFirst = (at: number) => always !== undefined && at % embedding === 0
  const isLast = (at: number) => at >= (tokens.length - 1) * embedding
  const some = noise(1)
  return [
    { name: 'token_embd.weight', shape: [embedding, tokens.length], fill: (at) => (isFirst(at) ? 1 : some()) },
    norm('output_norm'),
    {
      name: 'output.weight',
      shape: [embedding, tokens.length],
      fill: (at) => (isFirst(at) && isLast(at) ? 20 : isWord(at) ? likely() : 0),
    },
    ...Array.from({ length: layers }, (_, layer) => `blk.${layer}.`).flatMap((layer) => [
      norm(`${layer}attn_norm`),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => matrix(layer + name, embedding, embedding)),
      norm(`${layer}ffn_norm`),
      matrix(`${layer}ffn_gate`, embedding, feedForward),
      matrix(`${layer}ffn_up`, embedding, feedForward),
      matrix(`${layer}ffn_down`, feedForward, embedding),
    ]),
  ]
}

function headOf(size: GgufSize, tokens: readonly Token[], tensors: readonly Tensor[]): Buffer {
  const values = [
    entry('general.architecture', text('llama')),
    entry('general.name', text('tiny random')),
    entry('llama.context_length', u32(size.context)),
    entry('llama.embedding_length', u32(size.embedding)),
    entry('llama.block_count', u32(size.layers)),
    entry('llama.feed_forward_length', u32(size.feedForward)),
    entry('llama.attention.head_count', u32(size.heads)),
    entry('llama.attention.layer_norm_rms_epsilon', f32(1e-5)),
    entry('llama.rope.dimension_count', u32(size.embedding / size.heads)),
    entry('llama.vocab_size', u32(tokens.length)),
    entry('tokenizer.ggml.model', text('llama')),
    entry(
      'tokenizer.ggml.tokens',
      array(
        valueType.text,
        tokens.map(({ text: word }) => string(word)),
      ),
    ),
    entry(
      'tokenizer.ggml.scores',
      array(
        valueType.f32,
        tokens.map((_, at) => float(-at)),
      ),
    ),
    entry(
      'tokenizer.ggml.token_type',
      array(
        valueType.i32,
        tokens.map(({ type }) => int(type)),
      ),
    ),
    entry('tokenizer.ggml.unknown_token_id', u32(0)),
    entry('tokenizer.ggml.bos_token_id', u32(1)),
    entry('tokenizer.ggml.eos_token_id', u32(2)),
  ]
  let offset = 0
  const infos = tensors.map(({ name, shape }) => {
    const info = [string(name), int(shape.length), ...shape.map(long), int(0), long(offset)]
    const bytes = count(shape) * 4
    offset += bytes + padding(bytes)
    return Buffer.concat(info)
  })
  return Buffer.concat([Buffer.from('GGUF'), int(3), long(tensors.length), long(values.length), ...values, ...infos])
}

type Value = { type: number; bytes: Buffer }
const entry = (key: string, { type, bytes }: Value) => Buffer.concat([string(key), int(type), bytes])
const text = (value: string): Value => ({ type: valueType.text, bytes: string(value) })
const u32 = (value: number): Value => ({ type: valueType.u32, bytes: int(value) })
const f32 = (value: number): Value => ({ type: valueType.f32, bytes: float(value) })
const array = (type: number, items: Buffer[]): Value => ({
  type: valueType.array,
  bytes: Buffer.concat([int(type), long(items.length), ...items]),
})

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

const string = (value: string) => Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)])

/** A seeded generator: the same numbers in every run. */
function generator(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
