// Error codes of user management, invitations and saved rehearsals.
export const peopleErrors = {
  user_disabled: ['forbidden', 'This user is disabled: ask an administrator'],
  user_is_disabled: ['conflict', 'This user is disabled'],
  api_key_user_disabled: ['unauthorized', 'The user of this API key is disabled'],
  own_account: ['conflict', 'You cannot demote or disable yourself: ask another administrator'],
  own_second_factor: ['conflict', 'Turn off your own second factor in your security settings'],
  own_password: ['conflict', 'Change your own password in your security settings'],
  no_second_factor: ['conflict', 'This user has no second factor'],
  no_email: ['conflict', 'This user has no e-mail address: give one with the request'],
  owner_only: ['forbidden', 'Only an owner of the organization makes, changes or removes owners'],
  last_owner: ['conflict', 'An organization keeps an owner who can sign in: make another member an owner first'],
  last_owner_of: ['conflict', 'This is the only owner of {name}, which has other members: make one an owner first'],
  member_already: ['conflict', 'This person is a member already'],
  invitation_other_person: [
    'forbidden',
    'This invitation is for another e-mail address: sign in with that address, then open the link again',
  ],
  link_gone: ['not_found', 'This link is not valid: it was used or revoked, or has expired'],
  invitations_open: ['conflict', 'Too many invitations are open: revoke some first'],
  rehearsals_saved: ['conflict', 'A user may save {limit} rehearsals'],
  rehearsal_call_agentless: ['conflict', 'This call had no agent: it cannot be rehearsed'],
  rehearsal_with_missing: ['invalid', 'with is required'],
} as const
