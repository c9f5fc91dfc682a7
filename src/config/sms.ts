// Settings of the SMS provider.
import type { SmsConfig } from './config.ts'
import type { EnvReader } from './env-reader.ts'

export function readSms(env: EnvReader): SmsConfig | null {
  const url = env.httpUrl('SMS_URL')
  const method = env.oneOf('SMS_METHOD', ['POST', 'PUT', 'GET'], 'POST')
  const headers = env.jsonObject('SMS_HEADERS') ?? {}
  const body = env.jsonObject('SMS_BODY')
  if (/^[^:]+:\/\/[^/?#]*[{}]/.test(url ?? '')) env.problems.push('SMS_URL must not have braces in its host')
  if (Object.values(headers).some((value) => typeof value !== 'string' || /[\r\n]/.test(value)))
    env.problems.push('SMS_HEADERS must hold strings without line breaks')
  return url === null ? null : { url, method, headers: headers as Record<string, string>, body }
}
