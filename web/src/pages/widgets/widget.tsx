// A widget: embed code, usage, settings, and a live preview.
import { Button, Code, CopyButton, Grid, Group, Progress, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Widget as WidgetRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { Editable } from '../../components/editable.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { usePublicAddress } from '../../components/public-address.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { GeneralFields, LimitFields, LookFields } from './widget-fields.tsx'
import { changesOf, formOf, originsOf, problemsOf, snippetOf, type WidgetForm } from './widget-form.ts'
import { WidgetPreview } from './widget-preview.tsx'
import { widgetsTexts } from './widgets-texts.ts'

export function Widget() {
  const { id = '' } = useParams()
  const t = useTexts(widgetsTexts)
  const widget = queries.useQuery('get', '/api/widgets/{id}', { params: { path: { id } } }, { retry: false })
  if (!widget.data)
    return (
      <Page title={t.title} back={{ to: '/widgets', name: t.title }}>
        <QueryResult query={widget}>{() => null}</QueryResult>
      </Page>
    )
  return <LoadedWidget key={widget.data.id} widget={widget.data} />
}

function LoadedWidget({ widget }: { widget: WidgetRecord }) {
  const t = useTexts(widgetsTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const leave = useLeavePage()
  const [before, setBefore] = useState(() => formOf(widget))
  const [form, setForm] = useState(before)
  const [isSubmitted, setSubmitted] = useState(false)
  const set = (part: Partial<WidgetForm>) => setForm((now) => ({ ...now, ...part }))
  const changes = changesOf(before, form)
  const isDirty = Object.keys(changes).length > 0
  const params = { path: { id: widget.id } }

  async function save(): Promise<boolean> {
    setSubmitted(true)
    if (problemsOf(form).length > 0 || originsOf(form.origins) === null) {
      focusFirstError()
      return false
    }
    return run(
      async () => {
        const saved = formOf(await unwrap(api.PATCH('/api/widgets/{id}', { params, body: changes })))
        setBefore(saved)
        setForm(saved)
        setSubmitted(false)
      },
      { success: c.saved, stale: ['/api/widgets'] },
    )
  }
  const remove = async () => {
    if (await run(() => unwrap(api.DELETE('/api/widgets/{id}', { params })), { success: c.removed }))
      leave('/widgets', ['/api/widgets'])
  }

  const fields = { form, set, problems: isSubmitted ? problemsOf(form) : [] }
  return (
    <Page
      title={before.name}
      back={{ to: '/widgets', name: t.title }}
      actions={
        <>
          <Switch
            label={t.active}
            checked={form.isActive}
            onChange={(event) => set({ isActive: event.currentTarget.checked })}
          />
          <MoreMenu
            id={widget.id}
            entries={[]}
            removal={{
              name: c.remove,
              question: t.removeQuestion(before.name),
              warning: t.removeWarning,
              onConfirm: remove,
            }}
          />
        </>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <Snippet id={widget.id} />
            <Editable>
              <GeneralFields {...fields} />
              <LookFields {...fields} />
              <LimitFields {...fields} />
            </Editable>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg" pos="sticky" top={76}>
            <WidgetPreview form={form} />
            <Usage id={widget.id} />
          </Stack>
        </Grid.Col>
      </Grid>
      <SaveBar isDirty={isDirty} isSaving={isPending} onSave={() => void save()} onDiscard={() => setForm(before)} />
      <LeaveGuard isDirty={isDirty} onSave={save} />
    </Page>
  )
}

function Snippet({ id }: { id: string }) {
  const t = useTexts(widgetsTexts)
  const c = useTexts(commonTexts)
  const { address, isOffered, card } = usePublicAddress()
  const code = snippetOf(address, id)
  return (
    <Section
      title={t.snippet}
      about={t.snippetAbout}
      isForAll
      actions={
        isOffered && (
          <CopyButton value={code}>
            {({ copied, copy }) => (
              <Button
                onClick={copy}
                leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              >
                {copied ? c.copied : c.copy}
              </Button>
            )}
          </CopyButton>
        )
      }
    >
      {card}
      {isOffered && (
        <Code
          block
          tabIndex={0}
          aria-label={t.snippet}
          role="group"
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {code}
        </Code>
      )}
    </Section>
  )
}

function Usage({ id }: { id: string }) {
  const t = useTexts(widgetsTexts)
  const usage = queries.useQuery(
    'get',
    '/api/widgets/{id}/usage',
    { params: { path: { id } } },
    { refetchInterval: 15_000 },
  )
  return (
    <Section title={t.usage} about={t.usageAbout}>
      <QueryResult query={usage}>
        {({ calls, messages, concurrent }) => (
          <SimpleGrid cols={3}>
            <Used name={t.calls} {...calls} />
            <Used name={t.messages} {...messages} />
            <Used name={t.now} {...concurrent} />
          </SimpleGrid>
        )}
      </QueryResult>
    </Section>
  )
}

function Used({ name, used, limit }: { name: string; used: number; limit: number }) {
  const t = useTexts(widgetsTexts)
  const { locale } = useLanguage()
  const text = t.usedOf(used.toLocaleString(locale), limit.toLocaleString(locale))
  return (
    <div>
      <Group justify="space-between" gap={4}>
        <Text size="sm">{name}</Text>
      </Group>
      <Text size="sm" fw={600} className="numbers" mb={4}>
        {text}
      </Text>
      <Progress
        value={(used / limit) * 100}
        color={used >= limit ? 'red' : undefined}
        aria-label={`${name}: ${text}`}
      />
    </div>
  )
}
