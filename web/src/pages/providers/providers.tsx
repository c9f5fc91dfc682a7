// Providers by kind: language models, speech recognition, voices, embeddings. Adds, tests, edits and removes accounts.
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconBrain, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Provider as Account, Provider } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { lazyComponent } from '../../lazy-component.ts'
import { useIsAdmin } from '../../session.tsx'
import { AccountRow, EmbeddedRow } from './account-row.tsx'
import { FoundServers } from './found-servers.tsx'
import { providerFormTexts } from './provider-form-texts.ts'
import { providersTexts } from './providers-texts.ts'
import { type Kind, kinds } from './vendors.ts'

const AddProvider = lazyComponent(() => import('./add-provider.tsx'), 'AddProvider')
const ProviderDialog = lazyComponent(() => import('./provider-dialog.tsx'), 'ProviderDialog')

/** Polling interval: health changes with every call. */
const AGAIN_MS = 30_000

/** The open dialog: none, the selection of kind and vendor, or the form. */
type Editing = { kind: Kind | null; vendor: string | null; account: Provider | null }
const nothing: Editing = { kind: null, vendor: null, account: null }

export function Providers() {
  const t = useTexts(providersTexts)
  const f = useTexts(providerFormTexts)
  const isAdmin = useIsAdmin()
  // Set if the user came from an agent that has no model.
  const agentId = useSearchParams()[0].get('agent')
  const accounts = queries.useQuery('get', '/api/providers', {}, { refetchInterval: AGAIN_MS })
  const [editing, setEditing] = useState<Editing | null>(null)
  const close = () => setEditing(null)
  const hasModel = accounts.data?.some(({ kind, isInUse }) => kind === 'llm' && isInUse) ?? true
  return (
    <Page
      title={t.title}
      about={t.about}
      {...(agentId ? { back: { to: `/agents/${encodeURIComponent(agentId)}`, name: t.toAgent } } : {})}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing(nothing)}>
          {f.add}
        </Button>
      }
    >
      {!hasModel && (
        <Alert color="yellow" variant="light" icon={<IconBrain size={18} aria-hidden />}>
          {t.none}
        </Alert>
      )}
      {!hasModel && isAdmin && <FoundServers />}
      <QueryResult query={accounts}>
        {(found) => (
          <Stack gap="lg">
            {kinds.map((kind) => (
              <KindSection
                key={kind}
                kind={kind}
                accounts={found.filter((account) => account.kind === kind)}
                onAdd={() => setEditing({ ...nothing, kind })}
                onEdit={(account) => setEditing({ kind, vendor: account.vendor, account })}
              />
            ))}
          </Stack>
        )}
      </QueryResult>
      <Suspense>
        {editing && editing.vendor === null && (
          <AddProvider
            kind={editing.kind}
            onChoose={(kind, vendor) => setEditing({ kind, vendor, account: null })}
            onClose={close}
          />
        )}
        {editing?.kind && editing.vendor !== null && (
          <ProviderDialog kind={editing.kind} vendor={editing.vendor} account={editing.account} onClose={close} />
        )}
      </Suspense>
    </Page>
  )
}

function KindSection({
  kind,
  accounts,
  onAdd,
  onEdit,
}: {
  kind: Kind
  accounts: readonly Account[]
  onAdd: () => void
  onEdit: (account: Provider) => void
}) {
  const t = useTexts(providersTexts)
  const f = useTexts(providerFormTexts)
  return (
    <Section
      title={t.sections[kind].title}
      about={t.sections[kind].about}
      actions={
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
          {f.addOf[kind]}
        </Button>
      }
    >
      {accounts.length === 0 && kind === 'embeddings' && (
        <Text size="sm" c="dimmed">
          {t.noEmbeddings}
        </Text>
      )}
      {(accounts.length > 0 || kind !== 'embeddings') && (
        <Stack gap={0} component="ul" p={0} m={0} aria-label={t.sections[kind].title}>
          {accounts.map((account) => (
            <AccountRow key={account.id} account={account} onEdit={onEdit} />
          ))}
          {kind !== 'embeddings' && <EmbeddedRow kind={kind} isInUse={!accounts.some(({ isInUse }) => isInUse)} />}
        </Stack>
      )}
    </Section>
  )
}
