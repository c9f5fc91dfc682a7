// Form fields side by side, with hints below the inputs so that the inputs line up.
import { type MantineThemeOverride, MantineThemeProvider, SimpleGrid, type SimpleGridProps } from '@mantine/core'

const beneath: MantineThemeOverride = {
  components: { InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } } },
}

export function FormGrid({ cols = { base: 1, sm: 2 }, ...grid }: SimpleGridProps) {
  return (
    <MantineThemeProvider theme={beneath}>
      <SimpleGrid cols={cols} {...grid} />
    </MantineThemeProvider>
  )
}
