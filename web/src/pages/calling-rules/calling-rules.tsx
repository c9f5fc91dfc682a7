// The list of rule packs, built-in and the user's own, and a check whether a number may be called.
import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconCopy, IconScale } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import type { CallingRules as Rules } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { campaignsTexts } from '../campaigns/campaigns-texts.ts'
import { setupTexts } from '../campaigns/setup-texts.ts'
import { windowText } from '../campaigns/window-words.ts'
import { AskRules } from './ask-rules.tsx'
import { packOf } from './pack.ts'
import { useRulePacks } from './rule-packs.ts'
import { rulesTexts } from './rules-texts.ts'

const stale = ['/api/calling-rules']

/** Copies a pack and opens the copy. */
export function useCopyRules() {
  const t = useTexts(rulesTexts)
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const copy = ({ id, name }: Rules) =>
    run(
      async () => {
        const body = { name: t.copyName(name).slice(0, 100), copyOf: id }
        const made = await unwrap(api.POST('/api/calling-rules', { body }))
        go(`/calling-rules/${made.id}`)
      },
      { success: t.copied, stale },
    )
  return { isPending, copy }
}

export function CallingRules() {
  const t = useTexts(rulesTexts)
  const list = useTexts(campaignsTexts)
  const packs = useRulePacks()
  return (
    <Page title={t.title} about={t.about} back={{ to: '/campaigns', name: list.title }}>
      <Alert color="gray" variant="light" icon={<IconScale aria-hidden />}>
        {t.disclaimer}
      </Alert>
      <QueryResult query={packs}>
        {(all) => (
          <Stack gap="lg">
            {all.map((rules) => (
              <OnePack key={rules.id} rules={rules} />
            ))}
            <AskRules packs={all} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  )
}

function OnePack({ rules }: { rules: Rules }) {
  const t = useTexts(rulesTexts)
  const u = useTexts(setupTexts)
  const { locale } = useLanguage()
  const { isPending, copy } = useCopyRules()
  const pack = packOf(rules)
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const [general] = pack.windows
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={4} flex="1 1 260px">
          <Group gap="xs">
            <Title order={2} size="h4">
              <Anchor component={Link} href={`/calling-rules/${rules.id}`} inherit c="var(--mantine-color-text)">
                {rules.name}
              </Anchor>
            </Title>
            <Badge variant="default" tt="none" fw={500}>
              {rules.isBuiltIn ? t.builtIn : t.own} · {t.version(rules.version)}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {pack.countries?.map((code) => names.of(code) ?? code).join(', ') ?? t.allCountries}
            {general && ` · ${general.windows.map((one) => windowText(one, u)).join('; ')}`}
          </Text>
        </Stack>
        <Group gap="xs">
          <Button component={Link} href={`/calling-rules/${rules.id}`} variant="default" size="xs">
            {rules.isBuiltIn ? t.open : t.edit}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={isPending}
            leftSection={<IconCopy size={14} aria-hidden />}
            aria-label={`${t.copy}: ${rules.name}`}
            onClick={() => void copy(rules)}
          >
            {t.copy}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
