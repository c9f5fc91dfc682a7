// A single test of a provider's server: whether it answers, how quickly, and what is wrong in one sentence. The result
// contains no key.
import { AppError, appError } from '../errors/errors.ts'
import type { ProviderKind } from './provider-kinds.ts'
import { vendorWords } from './vendor-words.ts'

export const testProblems = [
  'key_refused',
  'model_unknown',
  'voice_unknown',
  'nothing_heard',
  'misheard',
  'no_sound',
  'limited',
  'address_refused',
  'unreachable',
  'timeout',
  'failed',
] as const
export type TestProblem = (typeof testProblems)[number]

export type TestResult = {
  isOk: boolean
  kind: ProviderKind
  model: string
  /** For kind llm: the same as firstMs. */
  firstTokenMs: number | null
  /** Time to the first token, word, sound or vector. */
  firstMs: number | null
  /** For kind stt: the recognized text. */
  heard: string | null
  problem: TestProblem | null
  message: string | null
  vendorMessage: string | null
}

export type Attempt = {
  signal: AbortSignal
  /** Called with the body of an error response. */
  onRefusal: (status: number, body: string) => void
}
export type AttemptResult = {
  firstMs: number
  heard?: string
  /** The server answered, but the answer is wrong. */
  wrong?: { problem: TestProblem; message: string }
}

export type Tested = { kind: ProviderKind; title: string; model: string; apiKey: string | null; timeoutMs?: number }

export const TEST_TIMEOUT_MS = 20_000

export async function testProvider(
  { kind, title, model, apiKey, timeoutMs = TEST_TIMEOUT_MS }: Tested,
  attempt: (given: Attempt) => Promise<AttemptResult>,
): Promise<TestResult> {
  let refused: Refused | undefined
  const limit = AbortSignal.timeout(timeoutMs)
  const stop = new AbortController()
  const nothing = { kind, model, firstTokenMs: null, firstMs: null, heard: null, vendorMessage: null }
  try {
    const onRefusal = (status: number, body: string) => {
      refused = { status, body }
    }
    const { firstMs, heard = null, wrong } = await attempt({ signal: AbortSignal.any([limit, stop.signal]), onRefusal })
    const { problem = null, message = null } = wrong ?? {}
    const firstTokenMs = kind === 'llm' ? firstMs : null
    return { ...nothing, isOk: !wrong, firstTokenMs, firstMs, heard, problem, message }
  } catch (thrown) {
    const error = limit.aborted ? appError('service_timeout', { service: title }) : thrown
    return {
      ...nothing,
      isOk: false,
      problem: problemOf(error, refused),
      message: messageOf(error, title),
      vendorMessage: refused ? vendorWords(refused.body, apiKey) : null,
    }
  } finally {
    stop.abort() // the first word is enough
  }
}

type Refused = { status: number; body: string }

const unreachable: ReadonlySet<string> = new Set([
  'provider_unreachable',
  'service_connection_broke',
  'service_connection_refused',
])

function problemOf(error: unknown, refused: Refused | undefined): TestProblem {
  if (error instanceof AppError && error.code === 'voice_not_found') return 'voice_unknown'
  if (refused) {
    const { status, body } = refused
    // Google answers 400 to an invalid key.
    if (status === 401 || status === 403 || /API_KEY_INVALID|invalid[ _]api[ _]key/i.test(body)) return 'key_refused'
    if (status === 404 || (status === 400 && /model_not_found|model does not exist/i.test(body))) return 'model_unknown'
    return status === 429 ? 'limited' : 'failed'
  }
  if (!(error instanceof AppError)) return 'failed'
  if (error.kind === 'invalid') return 'address_refused'
  if (error.kind === 'upstream_timeout') return 'timeout'
  if (error.kind === 'too_many_requests') return 'limited'
  return unreachable.has(error.code) ? 'unreachable' : 'failed'
}

/** The engines' own messages name a kind of server, such as "The language model". */
const messageOf = (error: unknown, title: string): string =>
  error instanceof AppError
    ? error.message.replace(/^The (language model|speech server|recognition server|server for embeddings)/, title)
    : `${title} could not be tested; see the server log`
