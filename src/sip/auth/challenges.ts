// Answers the digest challenges to one request: from proxies, the peer, or both.
import type { Credentials } from '../dialog/call.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { answerChallenge, challengesOf, type NonceCounters } from './digest.ts'

const MAX_REALMS = 4

export class Challenges {
  readonly #credentials: Credentials | undefined
  readonly #memory: NonceCounters
  /** By status and realm; a second challenge of a realm is answered only if it says that the nonce was stale. */
  readonly #met = new Map<string, { response: SipResponse; times: number }>()

  constructor(credentials: Credentials | undefined, memory: NonceCounters) {
    this.#credentials = credentials
    this.#memory = memory
  }

  /** This target has sent a challenge. */
  get hasMet(): boolean {
    return this.#met.size > 0
  }

  /** True when the request should be retried. */
  take(response: SipResponse): boolean {
    const credentials = this.#credentials
    if ((response.status !== 401 && response.status !== 407) || !credentials) return false
    const { realm: wanted } = credentials
    const challenge = challengesOf(response).find(({ realm }) => wanted === undefined || wanted === realm)
    if (!challenge) return false
    const key = `${response.status} ${challenge.realm}`
    const times = this.#met.get(key)?.times ?? 0
    if (times > 1 || (times === 1 && !challenge.isStale) || this.#met.size > MAX_REALMS) return false
    this.#met.set(key, { response, times: times + 1 })
    return true
  }

  /** For another target, which has its own nonces. */
  forget(): void {
    this.#met.clear()
  }

  /** Adds the credentials, computed anew for each request: the nonce count must rise. */
  answer(request: SipRequest): SipRequest {
    if (!this.#credentials) return request
    for (const { response } of this.#met.values()) {
      const answer = answerChallenge(response, request, this.#credentials, this.#memory)
      if (answer) request.headers.add(answer.name, answer.value)
    }
    return request
  }
}
