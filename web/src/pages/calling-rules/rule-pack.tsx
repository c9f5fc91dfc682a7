// One rule pack: every rule with its source. The user's own packs can be edited here.
import { Alert, Badge, Button, Stack } from '@mantine/core'
import { IconCopy, IconScale } from '@tabler/icons-react'
import { useParams } from 'wouter'
import type { CallingRules } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { Editable } from '../../components/editable.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { AskRules } from './ask-rules.tsx'
import { useCopyRules } from './calling-rules.tsx'
import { packOf } from './pack.ts'
import { PackForm } from './pack-form.tsx'
import { PackRules } from './pack-rules.tsx'
import { inLanguage } from './rule-packs.ts'
import { rulesTexts } from './rules-texts.ts'

export function RulePackPage() {
  const t = useTexts(rulesTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/calling-rules/{id}', { params: { path: { id } } })
  const back = { to: '/calling-rules', name: t.title }
  if (reading.data) return <OnePack key={id} rules={reading.data} back={back} />
  return (
    <Page title={t.title} back={back}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function OnePack({ rules, back }: { rules: CallingRules; back: { to: string; name: string } }) {
  const t = useTexts(rulesTexts)
  const { language } = useLanguage()
  const { isPending, copy } = useCopyRules()
  const shown = inLanguage(rules, language)
  return (
    <Page
      title={shown.name}
      back={back}
      about={
        <Badge variant="default" tt="none" fw={500} mt={6}>
          {rules.isBuiltIn ? t.builtIn : t.own} · {t.version(rules.version)}
        </Badge>
      }
      actions={
        <>
          <Button
            variant={rules.isBuiltIn ? 'filled' : 'default'}
            loading={isPending}
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void copy(shown)}
          >
            {t.copy}
          </Button>
          {!rules.isBuiltIn && <PackMenu rules={rules} />}
        </>
      }
    >
      <Alert color="gray" variant="light" icon={<IconScale aria-hidden />}>
        {t.disclaimer}
      </Alert>
      <Stack gap="lg">
        {!rules.isBuiltIn && (
          <Editable>
            <PackForm rules={rules} />
          </Editable>
        )}
        <Section title={t.title}>
          <PackRules pack={packOf(shown)} />
        </Section>
        <AskRules packs={[shown]} />
      </Stack>
    </Page>
  )
}

function PackMenu({ rules: { id, name } }: { rules: CallingRules }) {
  const t = useTexts(rulesTexts)
  const c = useTexts(commonTexts)
  const { run } = useAction()
  const leave = useLeavePage()
  const onConfirm = () =>
    run(
      async () => {
        await unwrap(api.DELETE('/api/calling-rules/{id}', { params: { path: { id } } }))
        leave('/calling-rules', ['/api/calling-rules'])
      },
      { success: c.removed },
    )
  const removal = { name: c.remove, question: t.removeQuestion(name), warning: t.removeWarning, onConfirm }
  return <MoreMenu id={id} entries={[]} removal={removal} />
}
