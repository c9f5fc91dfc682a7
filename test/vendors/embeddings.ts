// OpenAI's public embeddings protocol, as strict as the original: vectors as numbers or in base64. Similar meanings are
// close: the words of one group share a direction.
import { KEY, type Routes, startVendor, statusOfFault } from './server.ts'

export const DIMENSIONS = 64

/** Groups of synonyms; every other word has a direction of its own. */
const meanings = [
  ['carro', 'veiculo', 'estacionamento', 'vagas', 'car', 'parking'],
  ['coração', 'cardiologia', 'eletrocardiograma', 'heart'],
  ['cigarette', 'smoking', 'smoke', 'ashtrays'],
  ['suitcases', 'luggage', 'bags'],
]

export function vectorOf(text: string): number[] {
  const vector = Array<number>(DIMENSIONS).fill(0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const group = meanings.findIndex((words) => words.includes(word))
    const at = group === -1 ? meanings.length + (hash(word) % (DIMENSIONS - meanings.length)) : group
    vector[at] = (vector[at] ?? 0) + (group === -1 ? 0.1 : 3)
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const hash = (word: string) => [...word].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7)

type Asked = { model?: unknown; input?: unknown; encoding_format?: unknown }

const routes = (isOpen: boolean): Routes => ({
  isAllowed: ({ headers }) => isOpen || headers.authorization === `Bearer ${KEY}`,

  async http({ method, url, body }, response, hooks) {
    if (method !== 'POST' || url !== '/v1/embeddings') return false
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      return true
    }
    const refuse = (status: number, message: string) =>
      json(status, { error: { message, type: 'invalid_request_error', param: null, code: null } })
    const {
      model,
      input,
      encoding_format: format = 'float',
    } = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as Asked
    if (typeof model !== 'string') return refuse(400, 'you must provide a model parameter')
    if (model === 'none') return refuse(404, 'The model `none` does not exist')
    const texts = (Array.isArray(input) ? input : [input]) as string[]
    if (texts.length === 0 || texts.length > 2048) return refuse(400, "'input' must have 1 to 2048 entries")
    if (!texts.every((text) => typeof text === 'string' && text !== '')) return refuse(400, "'input' must hold texts")
    if (format !== 'float' && format !== 'base64') return refuse(400, "'encoding_format' is not known")
    const fault = hooks.nextFault()
    const status = statusOfFault(fault)
    // Repeats key and words on purpose: a client must not pass them on.
    if (status !== null) return refuse(status, `status ${status} for ${KEY}: ${texts[0]}`)
    if (fault === 'silent') return true
    if (fault === 'reset-at-once') return response.destroy() !== null
    if (fault === 'wrong') return json(200, { data: [{ embedding: 'none' }] })
    if (fault === 'empty') return json(200, { data: [] })
    if (fault === 'mislabelled') return response.end('<html>A page of some proxy</html>') !== null
    const data = texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(vectorOf(text), format),
    }))
    // Reversed, because only `index` defines the order.
    return json(200, { object: 'list', data: data.reverse(), model, usage: { prompt_tokens: 1, total_tokens: 1 } })
  },
})

const encoded = (vector: number[], format: 'float' | 'base64') =>
  format === 'float' ? vector : Buffer.from(Float32Array.from(vector).buffer).toString('base64')

/** An open server requires no key, like self-hosted ones. */
export const startEmbeddings = (isOpen = false) => startVendor(routes(isOpen))
