// Settings of the object store for recordings.
import type { ObjectStoreConfig } from './config.ts'
import type { EnvReader } from './env-reader.ts'

const required = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Null when none is set; an incomplete set is a problem. */
export function readObjectStore(env: EnvReader): ObjectStoreConfig | null {
  const missing = required.filter((name) => env.text(name) === null)
  if (missing.length === required.length) {
    if (env.text('S3_REGION') !== null) env.problems.push(`S3_REGION needs ${required.join(', ')}`)
    return null
  }
  const endpoint = env.baseUrl('S3_ENDPOINT') ?? ''
  const bucket = env.text('S3_BUCKET') ?? ''
  if (missing.length > 0) env.problems.push(`recordings in object storage need ${missing.join(', ')} as well`)
  else if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    env.problems.push('S3_BUCKET must be 3 to 63 lower-case letters, digits, dots or hyphens')
  if (URL.canParse(endpoint)) {
    const { username, password, search, hash } = new URL(endpoint)
    if (username || password || search || hash)
      env.problems.push('S3_ENDPOINT must hold no user name, password, query or fragment')
  }
  return {
    endpoint,
    bucket,
    accessKeyId: env.text('S3_ACCESS_KEY_ID') ?? '',
    secretAccessKey: env.text('S3_SECRET_ACCESS_KEY') ?? '',
    region: env.text('S3_REGION') ?? 'us-east-1',
  }
}
