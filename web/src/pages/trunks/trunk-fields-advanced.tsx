// Advanced trunk options.
import {
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
  Title,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { FormGrid } from '../../components/form-grid.tsx'
import { NameValueInput } from '../../components/name-value-input.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { TrunkFieldsProps } from './trunk-fields.tsx'
import type { TrunkForm, TrunkProblem } from './trunk-form.ts'
import { trunkFormTexts } from './trunk-form-texts.ts'
import { trunksTexts } from './trunks-texts.ts'

type Named<V> = { [K in keyof TrunkForm]: TrunkForm[K] extends V ? K : never }[keyof TrunkForm]

const codecs = ['PCMA', 'PCMU', 'G722', 'opus'] as const

export function AdvancedTrunkFields({ form, set, problems }: TrunkFieldsProps) {
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
  const flag = (field: Named<boolean>, label: string) => (
    <Switch label={label} checked={form[field]} onChange={(event) => set({ [field]: event.currentTarget.checked })} />
  )

  return (
    <Stack gap="lg" pt="sm">
      <Part title={t.network}>
        {choice('authMode', t.authMode, auth)}
        {choice('transport', t.transport, { udp: 'UDP', tcp: 'TCP', tls: 'TLS' })}
        {whole('port', t.port, { description: t.portHint, error: problem('port', t.portWrong) })}
        {text('outboundProxy', t.outboundProxy, t.outboundProxyHint)}
        {text('fromUser', t.fromUser)}
        {text('fromDomain', t.fromDomain)}
        {form.authMode !== 'ip' && text('realm', t.realm, t.realmHint)}
        {form.authMode === 'register' &&
          whole('registerExpires', t.registerExpires, { error: problem('registerExpires', t.registerExpiresWrong) })}
      </Part>
      {flag('optionsPing', t.optionsPing)}

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
      <Part title={t.calls}>
        {text('callerId', t.callerId, t.callerIdHint)}
        {text('provider', t.provider, t.providerHint)}
        <TagsInput
          label={t.allowedAddresses}
          description={t.allowedAddressesHint}
          value={form.allowedAddresses}
          onChange={(allowedAddresses) => set({ allowedAddresses })}
        />
        <TagsInput
          label={t.allowedNumbers}
          description={t.allowedNumbersHint}
          value={form.allowedNumbers}
          onChange={(allowedNumbers) => set({ allowedNumbers })}
        />
        {whole('priority', t.priority, { description: t.priorityHint })}
        {whole('weight', t.weight, { description: t.weightHint })}
        {whole('maxConcurrentCalls', t.maxConcurrentCalls, { placeholder: t.noLimit })}
      </Part>

      <Part title={t.format}>
        {text('stripPrefix', t.stripPrefix, t.stripPrefixHint)}
        {text('prefix', t.prefix, t.prefixHint)}
      </Part>
      {flag('leadingPlus', t.leadingPlus)}

      <Part title={t.sound}>
        <MultiSelect
          label={t.codecs}
          data={codecs}
          value={form.codecs}
          onChange={(chosen) => set({ codecs: chosen as TrunkForm['codecs'] })}
          error={problem('codecs', t.codecsMissing)}
        />
        {choice('mediaEncryption', t.mediaEncryption, t.encryption)}
        {choice('dtmfMode', t.dtmfMode, t.dtmf)}
      </Part>
      {flag('sessionTimers', t.sessionTimers)}
      <NameValueInput label={t.headers} pairs={form.headers} onChange={(headers) => set({ headers })} />
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        {title}
      </Title>
      <FormGrid>{children}</FormGrid>
    </div>
  )
}
