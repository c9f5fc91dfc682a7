// Settings of the HTTP server, and the certificate that HTTPS and SIP over TLS share.
import type { HttpConfig, TlsFiles } from './config.ts'
import type { EnvReader } from './env-reader.ts'

export function readTls(env: EnvReader): TlsFiles | null {
  const certFile = env.text('TLS_CERT')
  const keyFile = env.text('TLS_KEY')
  if ((certFile === null) !== (keyFile === null)) env.problems.push('TLS_CERT and TLS_KEY go together')
  return certFile && keyFile ? { certFile, keyFile } : null
}

export const readHttp = (env: EnvReader, tls: TlsFiles | null): HttpConfig => ({
  host: env.text('HOST') ?? '127.0.0.1',
  port: env.number('PORT', 3000, { min: 0, max: 65535 }),
  tls,
  trustProxy: trustProxy(env.text('TRUST_PROXY')),
  publicUrl: env.baseUrl('PUBLIC_URL'),
  web: env.oneOf('WEB', ['on', 'off'], 'on') === 'on',
})

/** `true` means one proxy: further entries of X-Forwarded-For can be forged by the client. */
function trustProxy(value: string | null): false | number | string {
  if (value === null || value === 'false' || value === '0') return false
  if (value === 'true') return 1
  return /^\d$/.test(value) ? Number(value) : value
}
