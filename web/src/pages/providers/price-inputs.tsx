// Inputs for an account's prices.
import { Fieldset, NumberInput, Select, SimpleGrid, Text } from '@mantine/core'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { currencies, type PriceFields, pricesOfKind } from './price.ts'
import { providerFormTexts } from './provider-form-texts.ts'
import type { Kind } from './vendors.ts'

export function PriceInputs({
  kind,
  fields,
  onChange,
}: {
  kind: Kind
  fields: PriceFields
  onChange: (fields: PriceFields) => void
}) {
  const f = useTexts(providerFormTexts)
  const { locale } = useLanguage()
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  const known = [...new Set<string>([...currencies, fields.currency])]
  return (
    <Fieldset
      legend={f.price}
      variant="unstyled"
      styles={{ root: { margin: 0 }, legend: { padding: 0, fontWeight: 600, fontSize: 'var(--mantine-font-size-sm)' } }}
    >
      <Text size="xs" c="dimmed" mb={6}>
        {f.priceHint}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: pricesOfKind[kind].length + 1 }} spacing="sm" style={{ alignItems: 'end' }}>
        {pricesOfKind[kind].map((name) => (
          <NumberInput
            key={name}
            label={f.priceLabel[name]}
            min={0}
            max={1_000_000}
            decimalScale={6}
            decimalSeparator={decimal}
            allowNegative={false}
            hideControls
            value={fields[name]}
            onChange={(value) => onChange({ ...fields, [name]: typeof value === 'number' ? value : '' })}
          />
        ))}
        <Select
          label={f.currency}
          allowDeselect={false}
          data={known}
          value={fields.currency}
          onChange={(currency) => onChange({ ...fields, currency: currency ?? 'USD' })}
        />
      </SimpleGrid>
    </Fieldset>
  )
}
