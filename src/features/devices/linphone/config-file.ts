// A SIP account as a Linphone remote provisioning file (XML, lpconfig.xsd).

export type PhoneAccount = {
  displayName: string
  username: string
  password: string
  domain: string
  /** The registrar's address; the domain may be another name. */
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  expires: number
}

export function linphoneConfig(account: PhoneAccount): string {
  const { displayName, username, password, domain, host, port, transport, expires } = account
  const place = `${host.includes(':') ? `[${host}]` : host}:${port};transport=${transport}`
  const sections = {
    proxy_0: {
      reg_identity: `"${displayName.replace(/["\\]/g, '')}" <sip:${username}@${domain}>`,
      reg_proxy: `<sip:${place}>`,
      // Outbound proxy: all calls go through us, even if the domain does not resolve.
      reg_route: `<sip:${place};lr>`,
      reg_expires: expires,
      reg_sendregister: 1,
      publish: 0,
      realm: domain,
    },
    auth_info_0: { username, passwd: password, realm: domain, domain },
    // SDES keys are sent in the SIP messages: they are secret only if the signaling is encrypted.
    sip: { default_proxy: 0, media_encryption: transport === 'tls' ? 'srtp' : 'none' },
    // The link works once: Linphone must not fetch it at the next start.
    misc: { transient_provisioning: 1 },
  }
  const lines = Object.entries(sections).flatMap(([name, entries]) => [
    `  <section name="${name}">`,
    ...Object.entries(entries).map(
      ([key, value]) => `    <entry name="${key}" overwrite="true">${escaped(String(value))}</entry>`,
    ),
    '  </section>',
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<config xmlns="http://www.linphone.org/xsds/lpconfig.xsd">',
    ...lines,
    '</config>',
    '',
  ].join('\n')
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
/** XML 1.0 allows no other control characters. */
const escaped = (text: string) => text.replace(/[^\P{Cc}\t\n\r]/gu, '').replace(/[&<>"']/g, (mark) => marks[mark] ?? '')
