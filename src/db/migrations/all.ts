// All migrations. Loaded only where one of them is to be applied.
import type { Kysely } from 'kysely'
import * as start from './0001-start.ts'
import * as phone from './0002-phone.ts'
import * as turns from './0003-turns.ts'
import * as answeredBy from './0004-answered-by.ts'
import * as analysis from './0005-analysis.ts'
import * as rehearsals from './0006-rehearsals.ts'
import * as toolCalls from './0007-tool-calls.ts'
import * as knowledge from './0008-knowledge.ts'
import * as spreadsheets from './0009-spreadsheets.ts'
import * as gateway from './0010-gateway.ts'
import * as sessions from './0011-sessions.ts'
import * as events from './0012-events.ts'
import * as callsByStatus from './0013-calls-by-status.ts'
import * as secondFactor from './0014-second-factor.ts'
import * as roles from './0015-roles.ts'
import * as budgets from './0016-budgets.ts'
import * as callNode from './0017-call-node.ts'
import * as trunkSecretOrigin from './0018-trunk-secret-origin.ts'
import * as toolSecretOrigin from './0019-tool-secret-origin.ts'
import * as idempotencyLease from './0020-idempotency-lease.ts'
import * as conversationVariables from './0021-conversation-variables.ts'
import * as recordings from './0024-recordings.ts'
import * as externalIds from './0025-external-ids.ts'
import * as leases from './0026-leases.ts'
import * as bootstrapKeys from './0027-bootstrap-keys.ts'
import * as changeCounters from './0028-change-counters.ts'
import * as rowVersions from './0029-row-versions.ts'
import * as providers from './0030-providers.ts'
import * as invitations from './0031-invitations.ts'
import * as widgets from './0032-widgets.ts'
import * as listOrders from './0033-list-orders.ts'
import * as agentDrafts from './0034-agent-drafts.ts'
import * as providerKinds from './0035-provider-kinds.ts'
import * as callbacks from './0036-callbacks.ts'
import * as answerHooks from './0037-answer-hooks.ts'
import * as trunkHeaders from './0038-trunk-headers.ts'
import * as campaigns from './0039-campaigns.ts'
import * as cluster from './0040-cluster.ts'
import * as widgetVisitors from './0041-widget-visitors.ts'
import * as addressProofs from './0042-address-proofs.ts'
import * as messageAuthors from './0043-message-authors.ts'
import * as organizations from './0044-organizations.ts'
import * as audit from './0046-audit.ts'
import type { MigrationName } from './names.ts'

type Apply = (database: Kysely<unknown>) => Promise<void>

export const migrations: Readonly<Record<MigrationName, Apply>> = {
  '0001-start': start.up,
  '0002-phone': phone.up,
  '0003-turns': turns.up,
  '0004-answered-by': answeredBy.up,
  '0005-analysis': analysis.up,
  '0006-rehearsals': rehearsals.up,
  '0007-tool-calls': toolCalls.up,
  '0008-knowledge': knowledge.up,
  '0009-spreadsheets': spreadsheets.up,
  '0010-gateway': gateway.up,
  '0011-sessions': sessions.up,
  '0012-events': events.up,
  '0013-calls-by-status': callsByStatus.up,
  '0014-second-factor': secondFactor.up,
  '0015-roles': roles.up,
  '0016-budgets': budgets.up,
  '0017-call-node': callNode.up,
  '0018-trunk-secret-origin': trunkSecretOrigin.up,
  '0019-tool-secret-origin': toolSecretOrigin.up,
  '0020-idempotency-lease': idempotencyLease.up,
  '0021-conversation-variables': conversationVariables.up,
  '0024-recordings': recordings.up,
  '0025-external-ids': externalIds.up,
  '0026-leases': leases.up,
  '0027-bootstrap-keys': bootstrapKeys.up,
  '0028-change-counters': changeCounters.up,
  '0029-row-versions': rowVersions.up,
  '0030-providers': providers.up,
  '0031-invitations': invitations.up,
  '0032-widgets': widgets.up,
  '0033-list-orders': listOrders.up,
  '0034-agent-drafts': agentDrafts.up,
  '0035-provider-kinds': providerKinds.up,
  '0036-callbacks': callbacks.up,
  '0037-answer-hooks': answerHooks.up,
  '0038-trunk-headers': trunkHeaders.up,
  '0039-campaigns': campaigns.up,
  '0040-cluster': cluster.up,
  '0041-widget-visitors': widgetVisitors.up,
  '0042-address-proofs': addressProofs.up,
  '0043-message-authors': messageAuthors.up,
  '0044-organizations': organizations.up,
  '0046-audit': audit.up,
}
