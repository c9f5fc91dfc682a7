// The settings service: the operator's settings, and what the platform offers a user.
import { readFileSync } from 'node:fs'
import { missingForPhones } from '../../config/addresses.ts'
import { plainSettings } from '../../config/public-settings.ts'
import type { SpeechService } from '../../speech/open.ts'
import { version } from '../../version.ts'
import type { ServiceContext } from '../service.ts'
import { addressService } from './address-service.ts'
import { settingGroups } from './example.ts'
import { settingsRoutes } from './routes.ts'
import type { ModelState, Platform, Settings, VoiceState } from './schema.ts'

export type SettingsParts = {
  speech: Pick<SpeechService, 'state'>
  /** The device drivers that a user may use. */
  driversFor: (userId: string) => Promise<string[]>
  budgetsOf: (userId: string) => Promise<Platform['budgets']>
  /** The language model that currently serves a user. */
  modelOf: (userId: string) => Promise<ModelState>
}

export function settingsService(context: ServiceContext, parts: SettingsParts) {
  const { config } = context
  const { speech, driversFor, budgetsOf, modelOf } = parts
  const { http, phone } = config
  const groups = settingGroups(readExample(), config.settingsInUse, (name) => plainSettings.has(name))
  const voice = (): VoiceState => ({
    wanted: config.speech.embedded,
    ...speech.state(),
    providers: config.speech.slots,
    recognition: config.speech.stt,
    hasTurnModel: config.speech.turnModel !== null,
  })
  const isPhoneOn = phone.port !== 0
  const settings = async (userId: string): Promise<Settings> => ({
    version,
    groups,
    voice: voice(),
    model: await modelOf(userId),
    phone: {
      isOn: isPhoneOn,
      host: phone.host,
      port: phone.port,
      tlsPort: phone.tlsPort,
      rtpPorts: `${phone.rtpPorts.from}-${phone.rtpPorts.to}`,
      publicAddress: phone.publicAddress,
    },
    server: {
      database: config.database.kind,
      hasRedis: config.redisUrl !== null,
      isTls: http.tls !== null,
      trustsProxy: http.trustProxy !== false,
      publicUrl: http.publicUrl,
    },
  })
  const platform = async (userId: string): Promise<Platform> => {
    const model = await modelOf(userId)
    return {
      publicUrl: http.publicUrl,
      voiceProviders: config.speech.slots,
      model: model.name,
      models: model.models,
      missingForPhones: missingForPhones(config),
      gatewayDrivers: await driversFor(userId),
      budgets: await budgetsOf(userId),
    }
  }
  return { voice, routes: [settingsRoutes(settings, platform), addressService(context)] }
}

/** Descriptions of the settings; if the file is missing, the page shows only values. */
function readExample(): string {
  try {
    return readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  } catch {
    return ''
  }
}
