// What people called say about the call itself, in English: classes of words, and rules over them as in word-rules.ts.
import { wishRules } from './wish-rules.ts'

export const english = wishRules(
  {
    call: 'call phone ring contact telephone bother disturb dial text',
    calling:
      'calling phoning ringing contacting bothering harassing disturbing pestering bugging spamming hounding badgering texting',
    whom: 'me us here this number phone line house my number home cell mobile family at on back please again anyone ever',
    time: `today tonight now right_now tomorrow this_week this_morning this_afternoon this_evening this_month this_early this_late so_early
      so_late so_often so_much so_many that_early that_late at_this at_work at_night at_that at_my_work at_the_office at_dinner at_six at_seven at_eight at_nine at_ten before
      after until till during while when in_the on_a on_my monday tuesday wednesday thursday friday saturday sunday on_mon* on_tue* on_wed* on_thu* on_fri* on_sat* on_sun* on_week* on_holi* between unless
      if yet every too for_now for_a for_the_next later`,
    not: 'do_not does_not did_not never will_not can_not not',
    again: 'again anymore any_more any_longer ever no_more',
    remove: 'take remove delete get strike scratch drop pull erase cross wipe destroy purge scrub clear',
    data: `data information info details record records name contact contacts number phone_number phone contact_details personal_data
      personal_information personal_details`,
    records:
      'system systems database databases file files record records list lists there company register registry thing',
    listWords: `of off your the this that all any these those call calls calling phone marketing contact telemarketing dialing dialling
      mailing company sales internal`,
    end: 'please now immediately right_now right_away completely under from_there today again anymore any_more altogether permanently',
    consent: 'consent permission authorization approval',
    refuse: 'consent consented authorise authorize authorised authorized permit permitted allow agree agreed accept',
    toCall: `be_called being_called be_contacted being_contacted be_phoned call calling contact contacting phone use_my_number calls
      solicitations solicitation_calls`,
    between: `to for you your these those this the any more such kind of sort people anyone from telemarketing marketing solicitation sales
      spam phone unsolicited automated further get getting receive receiving`,
    bothered: 'called contacted bothered disturbed phoned harassed',
    law: 'gdpr ccpa tcpa data_protection',
    number: 'number phone_number phone line sim sim_card',
    authority: 'police sue suing lawyer attorney fcc ftc report reporting ofcom',
    already: 'has sadly unfortunately already recently just is been actually',
    died: `passed_away passed_on died is_deceased deceased is_dead dead no_longer_with_us`,
    shop: `pizza_place pizzeria bakery pharmacy store shop restaurant office law_firm school church garage salon clinic hospital hotel fax_line`,
    filler: 'sorry no oh hey yeah it is the a you have uh',
    mister: 'mr mrs ms miss doctor a the any',
    they: `he she husband wife mother father mom dad mum son daughter brother sister boss roommate secretary grandma grandpa grandmother
      grandfather owner doctor mr mrs ms manager boyfriend girlfriend uncle aunt`,
    away: `asleep sleeping working busy out away traveling travelling driving gone unavailable napping off sick`,
    place: `work school church hospital shower meeting bath bathroom vacation office gym bed doctor doctors store holiday class town
      market beach trip library`,
    myPlace: `meeting work doctor doctors church class hospital dinner lunch car appointment office store shower bed road train bus court
      funeral middle`,
    when: `later back again tomorrow tonight today on at in after next this when some another around before monday tuesday wednesday
      thursday friday saturday sunday please an half first sometime any anytime then between past the_day a_bit a_little around`,
    later: `later tomorrow tonight some_other another different next monday tuesday wednesday thursday friday saturday sunday
      this_afternoon this_evening in_the_morning in_a_bit in_an_hour`,
    begin: 'please so well ok okay yeah no just can could would you maybe look hey uh better and but then or',
    callBack: 'call ring phone buzz',
  },
  {
    optOut: `
      my|our|this number|name|phone|info|information|details|data taken|removed|deleted|struck|erased off|from|out $listWords~6 $records
      make_sure|ensure|want that? nobody|no_one calls|contacts|phones me|us|here|this again|anymore
      $not you|ever~2 $call $whom~5 $again !$time
      $not you|ever~2 $call $whom~5 .
      not to be? $call|called|contacted|phoned me|us|here|this_number|my_number|back again|anymore|any_more? please? .
      stop|quit|cease making? $calling
      $remove all~1 me|us|my|our|this|these ~2 off|from|out $listWords~6 $records
      $remove all~1 me|us off|from|out $listWords~6 $records
      $remove my|this|our number|phone_number|phone|contact $end~2 .
      $remove all|of|any~3 my|our personal~1 $data $end~3 .
      $remove all|of|any~3 my|our personal~1 $data from|on|in|off|out $listWords~3 $records
      $remove my name|number|info|information|details off|out|from of|your|the|that|this~3 $records
      get my name out
      want|like|need|get|be to~1 be|get|come|go~1 removed|taken|deleted? off|from|out $listWords~6 $records
      how do i get off $listWords~4 $records
      want|need|like all~1 of~1 my personal~1 $data to_be? removed|deleted|erased|gone|blocked $end~2 .
      want|need|like all~1 of~1 my personal~1 $data to_be? removed|deleted|erased|blocked off|from|out $listWords~6 $records
      forbid you ~1 to_call|to_contact|calling|contacting
      unsubscribe !from_the_newsletter|from_the_channel|him|her
      want|like|wish|need|going|choose to opt out
      opt me|us out
      do_not|no call list|register|registry
      ~8 on ~3 national registry
      do_not|never want any|more|any_more|to|get|receive|you|these|your|anyone|further|other|people|phone~5 calls|calling|calling_me|call_me !$time|to
      do_not|never|not want|wish|like|care|need ~1 to be $bothered !today|now|right_now|before|after|at|until|by_email|by_e_mail|by_mail|by_text
      rather|prefer not to? be $bothered !today|now|before|after|at|until|by_*
      no more|further|future|solicitation|telemarketing|sales|marketing ~2 contact|communication|communications|calls !at
      not any more calls
      want no_more of? ~1 calls
      ^ ~2 leave me|us alone
      will|would|can you leave me|us alone
      not_ever leave me alone
      lose|forget ~4 my|this number
      do_not|not want you|anyone|anybody|your ~1 calling|to_call me|us|here? !$time|back|him|her|them
      block my|this|our $number !please
      block my|this|our $number please
      under|per|violating|violates|violation_of|according_to the? $law ~8 erase|delete|remove|stop|call|calls|calling|right|revoke
      sick|tired|sick_and_tired|fed_up|done|had_enough|enough already? of|with all|these|your|the|this|those|getting|receiving|so|many~5 calls|robocalls|phone_calls|calling
      sick|tired|fed_up of|with you people|guys? calling|phoning
      had enough of your calls
      stop|quit|end with|making? all|these|your|the|those|this~3 phone? calls
      make these|the|your|those phone? calls stop
      can_not take|stand|bear|handle any|more|of|these|your|those|all~3 phone? calls anymore|any_more|any_longer
      want off of? this|the|your|that ~1 list
      if|next_time you|anyone|people|ever~3 call|calls|keep_calling|ring|contact|keep ~6 $authority
      $authority ~4 if you call|keep_calling|ring
      said|told_you do_not|not_to call !before|after|at|until
      $not|no|nobody|no_one ~2 $refuse $between~6 $toCall
      $not|no_one|nobody ever|going|to|have~2 gave|give|given|giving|giving_you you|my|any|me~3 $consent $between~5 $toCall
      do_not|never|did_not have|had my|our|any? $consent $between~5 $toCall
      have|had no $consent $between~5 $toCall
      without my|our $consent
      not authorised|authorized|allowed|permitted to call|contact|phone
      revoke|revoking|withdraw|withdrawing|taking_back|take_back my|any|all $consent
      cease_and_desist
      do me_a_favor skip me
      was|is|be the? last time i_heard|i_hear|you_call|you_contact
      how many times ~8 stop|quit $calling|bugging
      remove me from the calling`,
    notOptOut: `
      $not|stop|quit|no ~4 $call|calls|$calling $whom~5 $time
      $call|$calling $whom~4 names|sir|madam|maam|mr|mrs|him|her|it|that|them
      for now
      new number instead
      instead use
      update my number
      why do_not|did
      i|we|they|he|she|why|who|people|kids do_not|does_not|never $call
      you do_not ~1 $call me
      recorded|recording
      before noon|at
      before ~1 am|oclock
      after five|six|seven|eight|nine|ten|noon
      at work|night
      stolen|stole|lost
      getting no_answer
      by email|e_mail
      waiting
      call me bob
      not forget|hesitate
      unblock
      off my list`,
    asks: `
      why|when|what|who|are_you|did_you|do_you`,
    wrongPerson: `
      you misdialed|misdialled
      he|she has not had this ~1 number
      he|she changed ~1 number|numbers
      this $number|number belongs_to|is somebody|someone
      ^ $filler~3 wrong number|person|guy|lady|house|phone !of
      have|got|reached|dialed|dialled|called|dialling|dialing|calling|it_is|is ~1 wrong number|person|guy|lady|house|phone|one !of
      that|this|it is not me|him|her|my_name|his_number|his_phone|her_number|her_phone|their_number !who|that
      this|that is_no_longer|not his|her|their number|phone
      i am not that_person|the_person_you|who_you|him|her|the_one_you|the_guy_you|the_right_person
      nobody|no_one|noone|not_anyone here? by|with|of that|this|the|such
      nobody|no_one|noone named ~2 works|lives|here|at
      nobody|no_one|noone here? called !me|us|you|back|about|to
      does_not|do_not|no_longer|never live|lives|work|works here
      never heard of him|her|them|that_person|this_person|such|anyone
      do_not know him|her|that_person|this_person|who_that_is|who_that_person|anyone_by|anyone_with|anyone_called|anyone_named|anybody_by|any_such
      $number does_not|no_longer|is_not belong|belongs|theirs|his|hers
      not ~1 his|her number|phone anymore
      guy|person|one|lady|woman|man who_had this line|number|phone before
      she|he does_not have this number|phone
      this is a $shop .|sir|maam|not
      calls for a|the ~1 i_am_not
      i am not $mister~1 @
      this|that is not $mister~1 @
      my_name is not @
      not $mister~1 @ .
      do_not know any|a|anyone_called|who~1 @`,
    notWrongPerson: `
      right street|house|name
      i|we|they gave|give|wrote|typed|put|entered|dialed|dialled|called|told
      i|we|they had|have|got ~1 wrong
      order|card|account|policy|tracking|invoice|confirmation|apartment|social|serial|flight|room|the_website|my_file|bill
      wrong number of
      maybe i_am_the_wrong
      is|was it|this|that the wrong
      @ ~2 who|that
      thought it`,
    gone: `
      he|she|owner|account_holder|person $already~3 $died !laughing|tired|wrong|serious|sure|set
      my? husband|wife|mother|father|mom|dad is|has been? dead ~2 year*|month*
      buried @
      this|that|it is a new $number !please|for|i
      this $number is new
      just|only|recently got|bought|received|have_had|had this ~1 $number !how
      got assigned this $number
      bought|got this sim|sim_card|number|phone_number recently|yesterday|last|a|two|three|this
      this $number has|just~2 used_to_belong|used_to_be|belonged|was_reassigned|was_assigned|was_given|got_reassigned|been_reassigned|is_now_mine|is_mine_now
      new|previous|former|old|last owner of this|the $number
      @ $already~3 $died !laughing|tired|wrong|serious|sure|set
      no @ here|at_this|on_this|living|in_this
      have a|any @ here|at_this|on_this|living
      no @ .
      @ does_not|no_longer|doesnt have|has|own|owns|use|uses this $number`,
    isMe: `
      yes|yeah ~1 that|this|it is me|he|she
      it is me
      this is he|she|me
      go ahead
      ^ yes? speaking .`,
    handsOver: `
      i_will|let_me|i_can|shall_i|want_me_to|hold_on get|call|fetch|put|take|grab|see
      one|just_a moment|second|minute|sec
      hold|hang on
      he|she|they is|are|will|stepped|went|not|comes|just !dead|deceased|not_*
      i_am|this_is his|her|their wife|husband|mother|father|mom|dad|son|daughter|brother|sister|secretary|assistant|partner|nurse`,
    callback: `
      $callBack me|us $when
      $callBack me|us .
      ^ $begin? $begin? $begin? $callBack back
      ^ $begin? $begin? $begin? $callBack $when
      give|gimme me|us? a|another call|ring|buzz|shout
      try|catch|reach|find|get|hit me|us|him|her up? $when
      try again|back $when
      can|could|may|let|should we|us|you|i ~4 $later
      do|discuss this|it ~2 $later
      talk|speak|chat ~2 $later
      ^ $begin? another|some_other|different time .
      could|can|would you ~2 $callBack me|us|back
      want|like|prefer|rather you ~2 $callBack ~2 $when`,
    absent: `
      $they is|are|was not ~1 home|here|in|available|around|there|in_right_now
      $they is not .
      $they is not ~1 yet
      $they is|will_be ~2 $away !of_the_contract
      $they is|will_be ~2 at|in|on|to ~2 $place
      $they ~1 just? stepped|went|ran ~1 out|to|away|for
      $they ~1 just? left .
      $they just? left ~1 for|his|her ~1 $place|phone
      $they can not ~1 come|talk|answer|take|speak
      $they ~1 will_be back|home|here
      $they ~1 comes|gets|come|get ~1 back|home
      $they is not back
      take|leave a message
      not home right_now`,
    busy: `
      i|we am|are !not ~1 driving|busy|working|cooking|swamped|slammed|tied|eating|sleeping|occupied|traveling|travelling
      i am ~1 in|at|on ~3 $myPlace
      in the middle of
      <you can|could not ~1 talk|speak|do_this ~2 now|at_the_moment|today|.
      not ~2 good|great|best|convenient time|moment
      bad|terrible time|timing|moment
      do_not have|got time|a_minute|the_time
      no time right_now|now|.
      now is not|bad`,
    notRequest: `
      i|we|he|she|they will|can|could|would ~2 $callBack
      i|we|they|you called
      do|does|did|never|please not ~2 $callBack
      never ~2 $callBack
      call it|that
      order|delivery|payment|bill|contract`,
  },
)
