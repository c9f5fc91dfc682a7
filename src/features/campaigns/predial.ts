// The pre-dial webhook: asks the owner's server before each attempt. Only `{"eligible": true}` with a 2xx status lets
// it leave; any other answer, or none within three seconds, means no call.

import { signedHeaders } from '../../base/crypto/webhook-signature.ts'
import { HttpError } from '../../base/outside/http-error.ts'
import type { GuardedHttp, HttpResponse } from '../../base/outside/http-port.ts'
import { parsedOutside } from '../../base/outside/json.ts'
import { limits } from '../../base/outside/limits.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { CampaignAttemptRow, CampaignRow } from '../../db/campaign-rows.ts'
import { version } from '../../version.ts'

const TIMEOUT_MS = 3000

export type Eligibility = { isEligible: boolean } | { problem: string }

export type PredialQuestion = {
  campaign: CampaignRow
  attempt: CampaignAttemptRow
  variables: Readonly<Record<string, string>>
  secret: string | null
}

export async function askPredial(
  http: Pick<GuardedHttp, 'request'>,
  { campaign, attempt, variables, secret }: PredialQuestion,
  stop: AbortSignal,
): Promise<Eligibility> {
  const { id: attemptId, campaignId, contactId, phoneNumber, tryNumber } = attempt
  const body = JSON.stringify({ campaignId, attemptId, contactId, phoneNumber, tryNumber, variables })
  if (campaign.predialUrl === null || secret === null) return { problem: 'The webhook has no secret' }
  const signed = signedHeaders([secret], { id: attemptId, timestampSeconds: Math.floor(nowMs() / 1000), body })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `Ramal/${version}`,
    ...signed,
  }
  const late = AbortSignal.timeout(TIMEOUT_MS) // in total: connecting, headers and body
  try {
    const request = {
      url: campaign.predialUrl,
      method: 'POST',
      headers,
      body,
      maxBytes: limits.predialAnswer.bytes,
      timeoutMs: TIMEOUT_MS,
    }
    return eligibilityOf(await http.request(request, AbortSignal.any([late, stop])))
  } catch (error) {
    if (late.aborted) return { problem: 'It did not answer within 3 s' }
    // The URL may contain a secret, so messages name at most its host.
    return { problem: error instanceof HttpError ? error.message : 'The request could not be sent' }
  }
}

export function eligibilityOf({ status, body }: Pick<HttpResponse, 'status' | 'body'>): Eligibility {
  if (status < 200 || status >= 300) return { problem: `It answered ${status}` }
  const value = parsedOutside(body, limits.predialAnswer)
  const eligible = typeof value === 'object' && value !== null ? (value as { eligible?: unknown }).eligible : undefined
  if (typeof eligible !== 'boolean') return { problem: 'The answer does not say whether the contact is eligible' }
  return { isEligible: eligible }
}
