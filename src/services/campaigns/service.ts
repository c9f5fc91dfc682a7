// The campaigns service: campaigns, contacts, suppressions and calling rules, and what dials.
import { callingRuleRoutes } from '../../api/calling-rules/routes.ts'
import { contactRoutes } from '../../api/campaigns/contact-routes.ts'
import { campaignRoutes } from '../../api/campaigns/routes.ts'
import { campaignStore } from '../../api/campaigns/store.ts'
import { suppressionRoutes } from '../../api/suppressions/routes.ts'
import type { ServiceContext } from '../service.ts'

// biome-ignore lint/suspicious/noExplicitAny: replaced part by part on this branch
const missing: any = new Proxy(
  {},
  { get: (_, name) => () => Promise.reject(new Error(`not built yet: ${String(name)}`)) },
)

export function campaignService({ db, secrets }: ServiceContext) {
  const campaigns = campaignStore(db, secrets, async () => {})
  return {
    routes: [
      campaignRoutes({ campaigns, actions: missing }),
      contactRoutes({
        check: campaigns.row,
        contacts: missing,
        attempts: missing,
        imports: missing,
        results: missing.results,
      }),
      suppressionRoutes({ suppressions: missing, lists: missing }),
      callingRuleRoutes({ rules: missing }),
    ],
  }
}
