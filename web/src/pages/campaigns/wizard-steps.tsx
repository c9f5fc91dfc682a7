// The wizard's steps in order; on a phone, all but the current one shrink to numbers.
import { UnstyledButton } from '@mantine/core'
import { useTexts } from '../../i18n/language-provider.tsx'
import classes from './campaign.module.css'
import { type Step, steps } from './wizard-form.ts'
import { wizardTexts } from './wizard-texts.ts'

export function WizardSteps({
  step,
  isReachable,
  onStep,
}: {
  step: Step
  isReachable: (step: Step) => boolean
  onStep: (step: Step) => Promise<void>
}) {
  const t = useTexts(wizardTexts)
  return (
    <nav aria-label={t.stepsLabel}>
      <ol className={classes.steps}>
        {steps.map((one, i) => (
          <li key={one}>
            <UnstyledButton
              className={classes.step}
              data-current={one === step}
              aria-current={one === step ? 'step' : undefined}
              disabled={!isReachable(one)}
              onClick={() => one !== step && void onStep(one)}
            >
              <span className={`${classes.stepNumber} numbers`}>{i + 1}</span>
              <span className={classes.stepName}>{t.steps[one]}</span>
            </UnstyledButton>
          </li>
        ))}
      </ol>
    </nav>
  )
}
