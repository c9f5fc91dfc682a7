// The campaign wizard in the two looks that campaigns.test.ts skips.
import { before, test } from 'node:test'
import type { Language, Look } from './browser.ts'
import { type CampaignSite, campaignSite, wizardToResults } from './campaign-wizard.ts'

let at: CampaignSite

before(async () => {
  at = await campaignSite()
})

const looks: (Look & { language: Language })[] = [
  { language: 'pt', screen: 'desk' },
  { language: 'en', screen: 'desk', theme: 'dark' },
]
for (const look of looks)
  test(`wizard from a file to results in ${look.language}, on a ${look.screen}`, () => wizardToResults(at, look))
