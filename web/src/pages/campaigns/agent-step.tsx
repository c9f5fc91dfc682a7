// The wizard step for the agent, the outbound route and the caller ID.
import { Radio, Select, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { queries } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { AgentSelect } from '../../components/agent-select.tsx'
import { FormGrid } from '../../components/form-grid.tsx'
import { countries } from '../../components/phone-countries.ts'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { nameOf } from '../devices/device-state.ts'
import { OnlyTakes } from '../live/place-call.tsx'
import { CallerId } from './caller-id.tsx'
import { MissingVariables } from './missing-variables.tsx'
import { setupTexts } from './setup-texts.ts'
import type { Problem, Route, WizardForm } from './wizard-form.ts'
import { wizardTexts } from './wizard-texts.ts'

export type StepProps = {
  form: WizardForm
  set: (part: Partial<WizardForm>) => void
  problems: readonly Problem[]
  /** For a running campaign, only pace, schedule and retries can change. */
  isLocked: boolean
}

const routes = ['agent', 'trunk', 'device'] as const satisfies readonly Route[]

export function AgentStep({ form, set, problems, isLocked, columns }: StepProps & { columns: readonly string[] }) {
  const t = useTexts(wizardTexts)
  const { data: agents = [] } = useAgents()
  const agent = agents.find(({ id }) => id === form.agentId)
  const has = (problem: Problem) => problems.includes(problem)
  return (
    <Section title={t.agentTitle} about={t.agentHint}>
      <Stack gap="md">
        <FormGrid>
          <AgentSelect
            isCalling
            required
            disabled={isLocked}
            value={form.agentId}
            onChange={(agentId) => set({ agentId })}
            error={has('agentId') ? t.agentNeeded : undefined}
          />
          <CountrySelect form={form} set={set} isDisabled={isLocked} />
        </FormGrid>
        {agent?.direction === 'inbound' && <OnlyTakes agent={agent} />}
        {form.agentId && columns.length > 0 && <MissingVariables agentId={form.agentId} columns={columns} />}
        <Radio.Group label={t.route} value={form.route} onChange={(route) => set({ route: route as Route })}>
          <Stack gap="xs" mt={6}>
            {routes.map((route) => (
              <Radio key={route} value={route} label={t.routes[route]} disabled={isLocked} />
            ))}
          </Stack>
        </Radio.Group>
        <FormGrid>
          <RouteSelect form={form} set={set} problems={problems} isLocked={isLocked} />
          <CallerId form={form} set={set} problems={problems} isLocked={isLocked} />
        </FormGrid>
      </Stack>
    </Section>
  )
}

function RouteSelect({ form, set, problems, isLocked }: StepProps) {
  const t = useTexts(wizardTexts)
  const u = useTexts(setupTexts)
  const trunks = queries.useQuery('get', '/api/trunks')
  const devices = queries.useQuery('get', '/api/gateway/devices')
  if (form.route === 'trunk')
    return (
      <Select
        label={u.trunk}
        required
        disabled={isLocked}
        placeholder={t.chooseTrunk}
        data={(trunks.data ?? [])
          .filter(({ directions }) => directions.includes('outbound'))
          .map(({ id, name }) => ({ value: id, label: name }))}
        value={form.trunkId}
        onChange={(trunkId) => set({ trunkId })}
        error={problems.includes('trunkId') ? t.chooseTrunk : undefined}
      />
    )
  if (form.route === 'device')
    return (
      <Select
        label={u.device}
        required
        disabled={isLocked}
        placeholder={t.chooseDevice}
        data={(devices.data ?? [])
          .filter(({ outboundEnabled }) => outboundEnabled)
          .map((device) => ({ value: device.id, label: nameOf(device) }))}
        value={form.deviceId}
        onChange={(deviceId) => set({ deviceId })}
        error={problems.includes('deviceId') ? t.chooseDevice : undefined}
      />
    )
  return null
}

function CountrySelect({
  form,
  set,
  isDisabled,
}: {
  form: WizardForm
  set: (part: Partial<WizardForm>) => void
  isDisabled: boolean
}) {
  const t = useTexts(wizardTexts)
  const { locale } = useLanguage()
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames([locale], { type: 'region' })
    const ids = new Set([...countries.map(({ id }) => id), form.defaultCountry])
    return [...ids]
      .map((id) => ({ value: id, label: names.of(id) ?? id }))
      .sort((a, b) => a.label.localeCompare(b.label, locale))
  }, [locale, form.defaultCountry])
  return (
    <Select
      label={t.country}
      description={t.countryHint}
      searchable
      allowDeselect={false}
      disabled={isDisabled}
      data={choices}
      value={form.defaultCountry}
      onChange={(id) => id && set({ defaultCountry: id })}
    />
  )
}
