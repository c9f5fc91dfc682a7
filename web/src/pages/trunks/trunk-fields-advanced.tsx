// Advanced trunk options, in tabs.
import {
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  Tabs,
  TagsInput,
  TextInput,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { FormGrid } from '../../components/form-grid.tsx'
import { NameValueInput } from '../../components/name-value-input.tsx'
import { ProblemMark } from '../../components/problem-mark.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { TrunkFieldsProps } from './trunk-fields.tsx'
import { type AdvancedTab, advancedTabs, type TrunkForm, type TrunkProblem, wrongTabs } from './trunk-form.ts'
import { trunkFormTexts } from './trunk-form-texts.ts'
import { trunksTexts } from './trunks-texts.ts'

type Named<V> = { [K in keyof TrunkForm]: TrunkForm[K] extends V ? K : never }[keyof TrunkForm]

const codecs = ['PCMA', 'PCMU', 'G722', 'opus'] as const

type TabProps = { tab: AdvancedTab; onTab: (tab: AdvancedTab) => void }

export function AdvancedTrunkFields({ form, set, problems, tab, onTab }: TrunkFieldsProps & TabProps) {
  const t = useTexts(trunkFormTexts)
  const { auth } = useTexts(trunksTexts)
  const problem = (field: TrunkProblem, words: string) => (problems.includes(field) ? words : undefined)
  const text = (field: Named<string>, label: string, description?: string) => (
    <TextInput
      label={label}
      description={description}
      autoCapitalize="none"
      spellCheck={false}
      value={form[field]}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
    />
  )
  const whole = (
    field: 'port' | 'registerExpires' | 'priority' | 'weight' | 'maxConcurrentCalls',
    label: string,
    more: { description?: string; placeholder?: string; error?: string } = {},
  ) => (
    <NumberInput
      label={label}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      value={form[field]}
      onChange={(value) => set({ [field]: typeof value === 'number' ? value : '' })}
      {...more}
    />
  )
  const choice = <F extends 'transport' | 'authMode' | 'mediaEncryption' | 'dtmfMode'>(
    field: F,
    label: string,
    names: Readonly<Record<TrunkForm[F], string>>,
  ) => (
    <Select
      label={label}
      allowDeselect={false}
      value={form[field]}
      onChange={(value) => set({ [field]: value })}
      data={Object.entries<string>(names).map(([value, name]) => ({ value, label: name }))}
    />
  )
  const tags = (
    field: 'allowedAddresses' | 'allowedNumbers' | 'headerVariables' | 'outboundHeaders',
    label: string,
    description: string,
  ) => (
    <TagsInput
      label={label}
      description={description}
      value={form[field]}
      onChange={(value) => set({ [field]: value })}
    />
  )
  const flag = (field: Named<boolean>, label: string) => (
    <Switch label={label} checked={form[field]} onChange={(event) => set({ [field]: event.currentTarget.checked })} />
  )

  const panels: Readonly<Record<AdvancedTab, ReactNode>> = {
    network: (
      <>
        <FormGrid>
          {choice('authMode', t.authMode, auth)}
          {choice('transport', t.transport, { udp: 'UDP', tcp: 'TCP', tls: 'TLS' })}
          {whole('port', t.port, { description: t.portHint, error: problem('port', t.portWrong) })}
          {text('outboundProxy', t.outboundProxy, t.outboundProxyHint)}
          {text('fromUser', t.fromUser)}
          {text('fromDomain', t.fromDomain)}
          {form.authMode !== 'ip' && text('realm', t.realm, t.realmHint)}
          {form.authMode === 'register' &&
            whole('registerExpires', t.registerExpires, { error: problem('registerExpires', t.registerExpiresWrong) })}
        </FormGrid>
        {flag('optionsPing', t.optionsPing)}
        <NameValueInput label={t.headers} pairs={form.headers} onChange={(headers) => set({ headers })} />
        {tags('headerVariables', t.headerVariables, t.headerVariablesHint)}
        {tags('outboundHeaders', t.outboundHeaders, t.outboundHeadersHint)}
      </>
    ),
    calls: (
      <>
        <Checkbox.Group
          label={t.directions}
          value={form.directions}
          onChange={(chosen) => set({ directions: chosen as TrunkForm['directions'] })}
          error={problem('directions', t.directionsMissing)}
        >
          <Group my={6}>
            <Checkbox value="inbound" label={t.inbound} />
            <Checkbox value="outbound" label={t.outbound} />
          </Group>
        </Checkbox.Group>
        <FormGrid>
          {text('callerId', t.callerId, t.callerIdHint)}
          {text('provider', t.provider, t.providerHint)}
          {tags('allowedAddresses', t.allowedAddresses, t.allowedAddressesHint)}
          {tags('allowedNumbers', t.allowedNumbers, t.allowedNumbersHint)}
          {whole('priority', t.priority, { description: t.priorityHint })}
          {whole('weight', t.weight, { description: t.weightHint })}
          {whole('maxConcurrentCalls', t.maxConcurrentCalls, { placeholder: t.noLimit })}
        </FormGrid>
        {flag('sessionTimers', t.sessionTimers)}
      </>
    ),
    format: (
      <>
        <FormGrid>
          {text('stripPrefix', t.stripPrefix, t.stripPrefixHint)}
          {text('prefix', t.prefix, t.prefixHint)}
        </FormGrid>
        {flag('leadingPlus', t.leadingPlus)}
      </>
    ),
    sound: (
      <FormGrid>
        <MultiSelect
          label={t.codecs}
          data={codecs}
          value={form.codecs}
          onChange={(chosen) => set({ codecs: chosen as TrunkForm['codecs'] })}
          error={problem('codecs', t.codecsMissing)}
        />
        {choice('mediaEncryption', t.mediaEncryption, t.encryption)}
        {choice('dtmfMode', t.dtmfMode, t.dtmf)}
      </FormGrid>
    ),
  }
  return <AdvancedTabs tab={tab} onTab={onTab} wrong={wrongTabs(problems)} panels={panels} />
}

function AdvancedTabs({
  tab,
  onTab,
  wrong,
  panels,
}: TabProps & { wrong: readonly AdvancedTab[]; panels: Readonly<Record<AdvancedTab, ReactNode>> }) {
  const t = useTexts(trunkFormTexts)
  return (
    <Tabs value={tab} onChange={(chosen) => chosen && onTab(chosen as AdvancedTab)} keepMounted={false} pt="sm">
      <Tabs.List aria-label={t.advanced}>
        {advancedTabs.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            data-has-problem={wrong.includes(name) || undefined}
            rightSection={wrong.includes(name) ? <ProblemMark /> : undefined}
          >
            {t[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {advancedTabs.map((name) => (
        <Tabs.Panel key={name} value={name} pt="md">
          <Stack gap="lg">{panels[name]}</Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
