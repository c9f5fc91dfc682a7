// One provider account: name, health, and the actions the user may take. The built-in engines get a row too.
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCpu, IconStar, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Provider as Account, Provider, ProviderTest } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { ActionMenu, type MenuEntry } from '../../components/action-menu.tsx'
import { useAgents } from '../../components/agent-name.tsx'
import { HealthBadge, useReasonWords } from '../../components/health-badge.tsx'
import { providerHealthTexts } from '../../components/provider-health-texts.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { AffectedAgents } from '../../components/usage-section.tsx'
import { ConfirmDialog, useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange } from '../../organization.ts'
import { useIsAdmin } from '../../session.tsx'
import { agentsNaming } from './account-usage.ts'
import { priceText } from './price.ts'
import { staleWithProviders } from './provider-form.ts'
import classes from './providers.module.css'
import { providersTexts } from './providers-texts.ts'
import { TestResult } from './test-result.tsx'
import { useVendorTitle } from './use-vendor-title.ts'
import { isKnownVendor, type Kind, vendorOf } from './vendors.ts'

export function AccountRow({ account, onEdit }: { account: Account; onEdit: (account: Provider) => void }) {
  const t = useTexts(providersTexts)
  const isAdmin = useIsAdmin()
  const testing = useAction()
  const [result, setResult] = useState<ProviderTest | null>(null)
  const { id, kind, name, vendor, source } = account
  const mayChange = useMayChange()
  const isOwn = mayChange && source === 'own'
  const test = () =>
    testing.run(
      async () => setResult(await unwrap(api.POST('/api/providers/{id}/test', { params: { path: { id } } }))),
      {
        stale: ['/api/providers'],
        verb: 'test',
      },
    )
  return (
    <li className={classes.row}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <AccountFacts account={account} />
          <Group gap="xs" wrap="nowrap">
            {(isOwn || (isAdmin && mayChange)) && (
              <Button
                size="xs"
                variant="default"
                loading={testing.isPending}
                aria-label={t.testOf(name)}
                onClick={() => void test()}
              >
                {t.test}
              </Button>
            )}
            {isOwn && isKnownVendor(kind, vendor) && (
              <Button size="xs" variant="default" aria-label={t.editOf(name)} onClick={() => onEdit(account)}>
                {t.edit}
              </Button>
            )}
            {isOwn && <OwnerMenu account={account} />}
          </Group>
        </Group>
        {result && <TestResult kind={kind} result={result} />}
      </Stack>
    </li>
  )
}

function AccountFacts({ account }: { account: Account }) {
  const t = useTexts(providersTexts)
  const h = useTexts(providerHealthTexts)
  const { locale } = useLanguage()
  const { id, kind, name, vendor, model, source, health } = account
  const title = useVendorTitle()(kind, vendor)
  const reason = useReasonWords(health)
  const isOwnAddress = account.baseUrl !== null && account.baseUrl !== vendorOf(kind, vendor).baseUrl
  const what = [name === title ? null : title, model, isOwnAddress ? account.baseUrl : null]
  const whose = {
    own: account.keyHint ? t.key(account.keyHint) : t.noKey,
    shared: t.ofAdmin,
    environment: t.readOnly,
    embedded: t.builtIn,
  }
  const facts = [
    health.firstMs === null ? null : h.first[kind](health.firstMs.toLocaleString(locale)),
    priceText(kind, account.prices, { locale, words: t.price }),
    whose[source],
  ]
  return (
    <Stack gap={2} miw={0} flex="1 1 260px">
      <Group gap="xs">
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        {account.isInUse && <StatusBadge tone="good" word={t.isDefault} />}
        {account.isShared && source !== 'environment' && <StatusBadge tone="off" word={t.forAll} />}
        {source === 'environment' && (
          <StatusBadge tone="off" word={id.endsWith('fallback') ? t.fallback : t.fromEnvironment} />
        )}
        {health.state !== 'unused' && <HealthBadge health={health} />}
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {what.filter(Boolean).join(' · ')}
      </Text>
      {reason && (
        <Text size="sm" c="var(--mantine-color-error)">
          {reason}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {facts.filter(Boolean).join(' · ')}
      </Text>
    </Stack>
  )
}

/** Makes the account the default, or removes it; the confirmation names the agents that would lose it. */
function OwnerMenu({ account: { id, kind, name, isDefault } }: { account: Provider }) {
  const t = useTexts(providersTexts)
  const c = useTexts(commonTexts)
  const { run } = useAction()
  const [isAsking, setAsking] = useState(false)
  const { data: agents = [] } = useAgents()
  const params = { path: { id } }
  const makeDefault = () =>
    run(() => unwrap(api.PATCH('/api/providers/{id}', { params, body: { isDefault: true } })), {
      success: t.inUseNow,
      stale: staleWithProviders,
    })
  const remove = () =>
    run(() => unwrap(api.DELETE('/api/providers/{id}', { params })), { success: c.removed, stale: staleWithProviders })
  const entries = (): MenuEntry[] => [
    ...(kind === 'tts' || isDefault
      ? []
      : [{ label: t.use, icon: <IconStar size={16} aria-hidden />, onClick: () => void makeDefault() }]),
    {
      label: t.removeOf(name),
      icon: <IconTrash size={16} aria-hidden />,
      isDangerous: true,
      onClick: () => setAsking(true),
    },
  ]
  return (
    <>
      <ActionMenu label={t.moreOf(name)} entries={entries} />
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setAsking(false)}
        question={t.removeQuestion(name)}
        warning={<AffectedAgents agents={agentsNaming(id, agents)}>{t.removeWarning[kind]}</AffectedAgents>}
        onConfirm={remove}
      />
    </>
  )
}

/** The built-in engine, the last link of every chain. */
type EmbeddedProps = { kind: Exclude<Kind, 'embeddings'>; isInUse: boolean }

export function EmbeddedRow({ kind, isInUse }: EmbeddedProps) {
  const t = useTexts(providersTexts)
  return (
    <li className={classes.row}>
      <Group gap="xs">
        <IconCpu size={18} aria-hidden />
        <Title order={3} size="h5">
          {t.embedded[kind].name}
        </Title>
        <StatusBadge tone="off" word={t.builtIn} />
      </Group>
      <Text size="sm" c="dimmed" mt={2}>
        {t.embedded[kind].about} {isInUse ? t.embeddedInUse : t.embeddedIsLast}
      </Text>
    </li>
  )
}
