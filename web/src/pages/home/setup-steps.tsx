// Setup steps, each with a link to where it is done.
import { Button, Group, Progress, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Overview } from '../../../../client/paths.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { homeTexts } from './home-texts.ts'

type Step = Overview['setup'][number]

export function SetupSteps({ steps, hasAgent }: { steps: readonly Step[]; hasAgent: boolean }) {
  const t = useTexts(homeTexts)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone, step, state }) => !isDone && step !== 'model' && state !== 'preparing')
  return (
    <Section title={t.setup} about={t.setupCount(done, steps.length)}>
      <Progress value={(done / steps.length) * 100} size="sm" aria-label={t.setupCount(done, steps.length)} />
      <Stack gap="md" component="ol" p={0} m={0}>
        {steps.map((step) => (
          <SetupRow key={step.step} step={step} isNext={step === next} hasAgent={hasAgent} />
        ))}
      </Stack>
    </Section>
  )
}

function SetupRow({ step, isNext, hasAgent }: { step: Step; isNext: boolean; hasAgent: boolean }) {
  const t = useTexts(homeTexts)
  const { isDone } = step
  const text = useStepText(step)
  const places = placesOf(step, hasAgent)
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" style={{ listStyle: 'none' }}>
      <ThemeIcon variant={isDone ? 'filled' : 'light'} color={isDone ? 'ramal' : 'gray'} radius="xl" size={26} mt={1}>
        {isDone ? <IconCheck size={15} aria-hidden /> : <IconCircleDashed size={15} aria-hidden />}
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={600} size="sm">
          {t[step.step].title}
          <VisuallyHidden> ({isDone ? t.isDone : t.isOpen})</VisuallyHidden>
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {step.percent !== null && !isDone && (
          <Progress value={step.percent} size="sm" mt={6} animated aria-label={t[step.step].title} />
        )}
        {!isDone && (
          <Group gap="xs" mt={6}>
            {places.map(({ to, name }, i) => (
              <Button
                key={to}
                component={Link}
                href={to}
                size="compact-sm"
                variant={isNext && i === 0 && hasAgent ? 'filled' : 'default'}
              >
                {name(t)}
              </Button>
            ))}
          </Group>
        )}
      </div>
    </Group>
  )
}

type HomeTexts = (typeof homeTexts)['pt']
type Place = { to: string; name: (t: HomeTexts) => string }

/** Numbers and calls need an agent first. */
function placesOf({ step, state }: Step, hasAgent: boolean): Place[] {
  switch (step) {
    case 'agent':
      return [{ to: '/agents/new', name: (t) => t.agent.action }]
    case 'voice':
      return [{ to: '/voices', name: (t) => t.voice.action }]
    case 'model':
      return [{ to: '/settings', name: (t) => t.model.action }]
    case 'phone':
      if (state === 'off') return [{ to: '/settings', name: (t) => t.model.action }]
      return [
        { to: '/trunks', name: (t) => t.phone.action },
        { to: '/devices', name: (t) => t.phone.other },
      ]
    case 'number':
      return hasAgent ? [{ to: '/numbers', name: (t) => t.number.action }] : []
    case 'call':
      return hasAgent ? [{ to: '/agents', name: (t) => t.call.action }] : []
  }
}

/** In the page's language; unknown states show the server's text. */
function useStepText({ step, state, percent, isDone, detail }: Step): string {
  const t = useTexts(homeTexts)
  if (step === 'voice') {
    if (state === 'preparing') return t.voice.preparing(percent ?? 0)
    if (state === 'small') return isDone ? t.voice.smallWanted : t.voice.small
    if (state === 'natural' || state === 'vendor' || state === 'off') return t.voice[state]
    return detail
  }
  const texts: Readonly<Record<string, unknown>> = t[step]
  const text = texts[state]
  return typeof text === 'string' ? text : detail
}
