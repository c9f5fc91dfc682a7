// Fake Gemini server with the public streamGenerateContent protocol, as strict as the original: it replies based on the
// request's words.
import { type ModelAnswer, sendEvents, wordsOf } from './event-answers.ts'
import { KEY, type Routes, startVendor, statusOfFault } from './server.ts'

type Part = {
  text?: string
  functionCall?: { name: string; args: unknown }
  functionResponse?: { name: string; response: { content?: unknown } }
  thoughtSignature?: string
}
export type GenerateRequest = {
  contents: { role: string; parts: Part[] }[]
  systemInstruction?: { parts: { text: string }[] }
  tools?: { functionDeclarations: { name: string; description: string; parameters?: object }[] }[]
  toolConfig?: object
  generationConfig?: { maxOutputTokens?: number; temperature?: number; topP?: number; stopSequences?: string[] }
}
export type GeminiSettings = { answer: (request: GenerateRequest) => ModelAnswer; retryAfter?: string }

export const saidTo = ({ contents }: GenerateRequest): string => {
  const last = contents.at(-1)?.parts.at(-1)
  return last?.text ?? String(last?.functionResponse?.response.content ?? '')
}

/** The reason for a 400, as in the original. */
function faultOf({ contents, tools, generationConfig }: GenerateRequest): string | undefined {
  if (!Array.isArray(contents) || contents.length === 0) return 'contents is not specified'
  if (contents[0]?.role !== 'user') return 'Please ensure that the first content comes from the user'
  if (contents.at(-1)?.role !== 'user') return 'Please ensure that the last content comes from the user'
  const { temperature = 1 } = generationConfig ?? {}
  if (!(temperature >= 0 && temperature <= 2)) return 'temperature must be in the range [0.0, 2.0]'
  let open: string[] = []
  for (const [i, { role, parts }] of contents.entries()) {
    if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model'
    if (role === contents[i - 1]?.role) return 'Please ensure that multiturn requests alternate between user and model'
    if (parts.length === 0 || parts.some(({ text }) => text === '')) return 'contents.parts must not be empty'
    const given = parts.flatMap(({ functionResponse }) => functionResponse?.name ?? [])
    if (given.join() !== open.join()) return 'function response parts must equal the function call parts before them'
    const calls = parts.filter(({ functionCall }) => functionCall)
    if (calls.length > 0 && calls[0]?.thoughtSignature !== 'signed by us')
      return 'Function call is missing a thought_signature'
    open = calls.flatMap(({ functionCall }) => functionCall?.name ?? [])
  }
  const names = tools?.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)) ?? []
  return names.every((name) => /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(name)) ? undefined : 'Invalid function name'
}

const routes = (settings: GeminiSettings): Routes => ({
  isAllowed: ({ headers }) => headers['x-goog-api-key'] === KEY,

  async http({ method, url, body }, response, hooks) {
    if (method === 'GET' && /^\/v1beta\/models(\?|$)/.test(url)) {
      const one = (id: string, method: string) => ({
        name: `models/${id}`,
        displayName: `Shown ${id}`,
        supportedGenerationMethods: [method],
      })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ models: [one('gemini-flash', 'generateContent'), one('embedder', 'embedContent')] }),
      )
      return true
    }
    const [, model] = /^\/v1beta\/models\/([\w.-]+):streamGenerateContent\?alt=sse$/.exec(url) ?? []
    if (method !== 'POST' || model === undefined) return false
    const refuse = (code: number, status: string, message: string, headers: Record<string, string> = {}) => {
      response.writeHead(code, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify({ error: { code, message, status } }))
      return true
    }
    const request = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as GenerateRequest
    const wrong = faultOf(request)
    if (wrong) return refuse(400, 'INVALID_ARGUMENT', wrong)
    if (model === 'none') return refuse(404, 'NOT_FOUND', 'models/none is not found')
    const fault = hooks.nextFault()
    const status = statusOfFault(fault)
    // Repeats key and words on purpose: a driver must not pass them on.
    const message = `${status} for ${KEY}: ${saidTo(request)}`
    if (status === 401) return refuse(401, 'UNAUTHENTICATED', message)
    if (status === 429)
      return refuse(429, 'RESOURCE_EXHAUSTED', message, { 'retry-after': settings.retryAfter ?? '20' })
    if (status !== null) return refuse(status, 'INTERNAL', message)
    const answer = fault === 'empty' ? {} : settings.answer(request)
    const events = [...chunksOf(request, answer)].map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`)
    await sendEvents(response, events, fault, 0)
    return true
  },
})

/** One word per chunk; each tool call complete in a chunk of its own, the first one with a signature. */
function* chunksOf({ generationConfig }: GenerateRequest, { say = '', calls = [] }: ModelAnswer) {
  const max = generationConfig?.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const words = wordsOf(say)
  const chunk = (parts: Part[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'gemini',
  })
  for (const text of words.slice(0, max)) yield chunk([{ text }])
  for (const [i, { name, args }] of calls.entries())
    yield chunk([{ functionCall: { name, args }, ...(i === 0 ? { thoughtSignature: 'signed by us' } : {}) }])
  yield chunk([{ text: '' }], { finishReason: words.length > max ? 'MAX_TOKENS' : 'STOP' })
}

export const startGemini = (settings: GeminiSettings) => startVendor(routes(settings))
