// Settings of gateway devices: the default driver, the remote gateway service and the WhatsApp account.
import { type GatewayConfig, gatewayDrivers, type WhatsappConfig } from './config.ts'
import type { EnvReader } from './env-reader.ts'

export const readGateway = (env: EnvReader): GatewayConfig => ({
  driver: env.oneOf('GATEWAY_DRIVER', gatewayDrivers, 'embedded'),
  whatsapp: readWhatsapp(env),
  remote: readRemote(env),
})

function readRemote(env: EnvReader): GatewayConfig['remote'] {
  const url = env.baseUrl('GATEWAY_URL')
  if (url === null) {
    if (env.text('GATEWAY_DRIVER') === 'remote') env.problems.push('GATEWAY_DRIVER remote needs GATEWAY_URL')
    return null
  }
  if (URL.canParse(url)) {
    const { username, password, search, hash } = new URL(url)
    if (`${username}${password}${search}${hash}` !== '')
      env.problems.push(
        'GATEWAY_URL must have no user, password, query or fragment: each user saves an account of their own',
      )
  }
  return { url }
}

function readWhatsapp(env: EnvReader): WhatsappConfig | null {
  const token = env.text('WHATSAPP_TOKEN')
  const phoneNumberId = env.text('WHATSAPP_PHONE_NUMBER_ID')
  const businessAccountId = env.text('WHATSAPP_BUSINESS_ACCOUNT_ID')
  const appSecret = env.text('WHATSAPP_APP_SECRET')
  const verifyToken = env.text('WHATSAPP_VERIFY_TOKEN')
  const optional = { businessAccountId, appSecret, verifyToken, sipPassword: env.text('WHATSAPP_SIP_PASSWORD') }
  const apiUrl = env.baseUrl('WHATSAPP_API_URL') ?? 'https://graph.facebook.com/v24.0'
  const sipHost = env.text('WHATSAPP_SIP_HOST') ?? 'wa.meta.vc'
  if (!/^[\w.-]+(:\d{1,5})?$/.test(sipHost))
    env.problems.push('WHATSAPP_SIP_HOST must be a host name, or a host name and a port')
  for (const id of [phoneNumberId, businessAccountId])
    if (!/^\d*$/.test(id ?? ''))
      env.problems.push('WHATSAPP_PHONE_NUMBER_ID and WHATSAPP_BUSINESS_ACCOUNT_ID must be digits alone')
  if ((appSecret === null) !== (verifyToken === null))
    env.problems.push('WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN go together')
  const users = env.list('WHATSAPP_USERS').map((user) => (user.includes('@') ? user.toLowerCase() : user))
  if (token !== null && phoneNumberId !== null) return { token, phoneNumberId, ...optional, users, apiUrl, sipHost }
  const isDefaultDriver = env.text('GATEWAY_DRIVER') === 'whatsapp'
  if (isDefaultDriver || [token, phoneNumberId, ...Object.values(optional)].some((value) => value !== null))
    env.problems.push('the whatsapp driver and its settings need WHATSAPP_TOKEN and WHATSAPP_PHONE_NUMBER_ID')
  return null
}
