// A dialog that creates a widget: name, agent and first website.
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Widget } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { AgentSelect } from '../../components/agent-select.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { originOf } from './widget-form.ts'
import { widgetsTexts } from './widgets-texts.ts'

export function NewWidget({
  agentId,
  onClose,
  onCreated,
}: {
  agentId: string | null
  onClose: () => void
  onCreated: (widget: Widget) => void
}) {
  const t = useTexts(widgetsTexts)
  const c = useTexts(commonTexts)
  const { data: agents = [] } = useAgents()
  const { isPending, run } = useAction()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(agentId)
  const [site, setSite] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const agent = chosen ?? (agents.length === 1 ? (agents[0]?.id ?? null) : null)
  const origin = site.trim() === '' ? undefined : originOf(site)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (name.trim() === '' || agent === null || origin === null) return focusFirstError()
    const body = { name: name.trim(), agentId: agent, origins: origin === undefined ? [] : [origin] }
    await run(async () => onCreated(await unwrap(api.POST('/api/widgets', { body }))), {
      success: c.created,
      stale: ['/api/widgets'],
    })
  }

  return (
    <Modal opened onClose={onClose} title={t.make} closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <TextInput
            label={c.name}
            description={t.nameHint}
            required
            data-autofocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={isSubmitted && name.trim() === '' ? t.nameMissing : undefined}
          />
          <AgentSelect
            required
            value={agent}
            onChange={setChosen}
            error={isSubmitted && agent === null ? t.agentMissing : undefined}
          />
          <TextInput
            label={`${t.site} (${c.optional})`}
            description={t.siteHint}
            placeholder="https://"
            maxLength={200}
            value={site}
            onChange={(event) => setSite(event.currentTarget.value)}
            error={isSubmitted && origin === null ? t.siteWrong : undefined}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {c.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
