// Calls of a WhatsApp number: routes them to our SIP server, and finds the password with which they are placed.
import { type Graph, GraphTrouble } from './graph.ts'
import { callsTo, isElsewhere, isSetUp, noCalls, readCallSettings, type SipServer, serverAt } from './number.ts'

const noServer = 'There are no calls: they need SIP_TLS_PORT, a certificate, and PUBLIC_ADDRESS with the name in it'

export function whatsappCalling(graph: Graph, sipServer: SipServer | null) {
  const settingsOf = async (id: string, signal: AbortSignal, query = '') =>
    readCallSettings(await graph.get(`${id}/settings${query}`, signal))

  return {
    /**
     * Why calls do not work, or null. Texts work regardless. `mayChange`: points the number's calls to us if they go
     * nowhere.
     */
    async trouble(id: string, mayChange: boolean, signal: AbortSignal): Promise<string | null> {
      if (!sipServer) return noServer
      try {
        const settings = await settingsOf(id, signal)
        if (isSetUp(settings, sipServer)) return null
        if (isElsewhere(settings, sipServer))
          return 'There are no calls: WhatsApp sends those to this number to another SIP server; take that away first'
        if (!mayChange) return 'There are no calls: WhatsApp does not send them to this server'
        await graph.post(`${id}/settings`, callsTo(sipServer), signal)
        return null
      } catch (error) {
        if (!(error instanceof GraphTrouble)) throw error
        return `There are no calls: ${error.message}`
      }
    },

    async passwordAt(server: SipServer, id: string, signal: AbortSignal): Promise<string | null> {
      try {
        const settings = await settingsOf(id, signal, '?include_sip_credentials=true')
        return serverAt(settings, server)?.password ?? null
      } catch (error) {
        // Without permission to read the settings there are no calls; a transient failure is retried.
        if (error instanceof GraphTrouble && error.kind !== 'timeout' && error.kind !== 'unavailable') return null
        throw error
      }
    },

    /** Removes only settings that point to us. */
    async remove(id: string, signal: AbortSignal): Promise<void> {
      if (sipServer && serverAt(await settingsOf(id, signal), sipServer))
        await graph.post(`${id}/settings`, noCalls, signal)
    },
  }
}
