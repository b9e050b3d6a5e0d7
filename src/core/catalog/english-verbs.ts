/** Returns the words of a list that blanks separate. */
export const wordsOf = (list: string): Set<string> => new Set(list.split(' '));

/** Returns the imperative and the third person of English verbs. */
export const verbForms = (verbs: string): Set<string> =>
  new Set(verbs.split(' ').flatMap((verb) => [verb, thirdPersonOf(verb), replaceFinalYByIes(verb)]));

const thirdPersonOf = (verb: string): string => (/(?:sh|ch|ss|x|o)$/.test(verb) ? `${verb}es` : `${verb}s`);
const replaceFinalYByIes = (verb: string): string => (/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : verb);

/** Returns the imperative of each form of verbs: `deletes`, `deleting` and `delete` are `delete`. */
const imperativesByForm = (verbs: Iterable<string>): Map<string, string> =>
  new Map(
    [...verbs].flatMap((verb): [string, string][] => [
      ...[verb, thirdPersonOf(verb), replaceFinalYByIes(verb)].map((form): [string, string] => [form, verb]),
      ...[`${verb}ing`, `${verb.replace(/e$/, '')}ing`, verb.replace(/([a-z])$/, '$1$1ing')].map(
        (form): [string, string] => [form, verb],
      ),
    ]),
  );

/** Verbs of tools that look at things. The first verb of a name decides. */
export const lookingVerbs = verbForms(
  'list get read show view fetch retrieve return display enumerate search find query lookup look browse inspect check verify ' +
    'test count analyze calculate validate describe compare diff lint recall download poll demonstrate transpose',
);

/** Verbs of tools that only say what a change would do, or whether it may be done. */
export const supposingVerbs = verbForms(
  'preview simulate estimate plan explain suggest can is has whether would should dry propose recommend',
);

/** Verbs that write, send, destroy or spend, and are hardly anything else. */
const sure =
  'delete remove erase purge wipe destroy truncate uninstall terminate kill revoke cancel discard unsubscribe rm rmdir unlink ' +
  'edit update modify rename overwrite append upsert insert save enable disable activate deactivate unregister toggle chmod chown mkdir mv ' +
  'approve reject assign unassign reassign restore rollback revert undo create recreate write send notify submit publish unpublish ' +
  'republish broadcast pay buy refund withdraw donate sell subscribe provision deprovision decommission redeploy ' +
  'escalate deescalate restart reboot shutdown rebase amend reopen dismiss ban unban unblock mute unmute unfollow unstar unpin untag ' +
  'detach attach migrate evict invalidate expire reindex reschedule ingest enqueue dequeue acknowledge redeem suspend quarantine ' +
  'impersonate reimburse unarchive unresolve disconnect decline deduct debit configure reconfigure manage reprioritize abort unsuspend unsave rerun synchronize scaffold deny unprotect unshare recache rsvp';
/** Verbs that are nouns as well, as in `deploy_key_list`; before another word they are verbs if they lead. */
const leading =
  'set reset add put drop clear move mark replace rotate apply patch trigger install deploy upload register invite tweet flush drain seed retry ' +
  'archive lock unlock grant stop pause resume fork clone stash snooze kick force void settle claim reserve dispatch ' +
  'increment decrement swap prune stage unstage request reply forward launch tag label populate resend';
/** Verbs that are mostly nouns: what they are verbs of, as far as a name goes. */
const byObject: Readonly<Record<string, string>> = {
  run: 'command commands script scripts code program shell migration migrations workflow job pipeline task action automation mutation playbook macro bash powershell container pod',
  execute:
    'command commands script scripts code program shell migration migrations workflow job pipeline task action automation mutation trade order transaction payment transfer bash powershell',
  exec: 'command shell script bash',
  invoke: 'workflow action webhook lambda function',
  make: 'payment reservation booking purchase call transfer order donation appointment change changes deposit commit directory folder',
  place: 'order orders bet bid trade call',
  call: 'actor procedure phone number customer contact user person taxi engineer client driver restaurant doctor support',
  dial: 'number phone customer contact user',
  page: 'engineer team oncall on user responder doctor',
  email: 'user users customer customers team contact contacts client everyone support person owner invoice receipt',
  message: 'user users customer customers team contact contacts client everyone support person owner channel',
  text: 'user customer contact client',
  order: 'pizza food product taxi meal groceries drink coffee lunch dinner',
  book: 'flight flights room hotel table appointment meeting ticket tickets ride car slot taxi restaurant trip seat demo class court cab train',
  post: 'message comment tweet reply update review photo image video story announcement job article slack to',
  schedule: 'meeting call appointment post email message task job event interview reminder delivery pickup tweet',
  charge: 'card customer account user invoice wallet client order',
  bill: 'customer client user account',
  capture: 'payment charge order funds',
  transfer: 'money funds file files ownership domain call tokens token balance asset assets issue repository',
  wire: 'money funds payment',
  trade: 'stock stocks crypto token tokens shares',
  purchase: 'ticket tickets item product license domain number subscription',
  commit: 'changes change file files all code transaction and staged',
  merge:
    'pull pr request requests branch branches mr contact contacts record records account accounts user users company companies customers tickets leads',
  block: 'user users account contact card ip domain sender device channel',
  star: 'repo repository thread message project item gist',
  pin: 'message post chat note item thread',
  follow: 'user account artist channel playlist',
  like: 'post tweet video song comment',
  mint: 'nft nfts token tokens coin coins',
  burn: 'nft token tokens',
  stake: 'token tokens eth coins',
  vote: 'on for proposal poll',
  push: 'count counts number numbers value values data update updates record records file files commit commits branch code changes image tag to notification message build release',
  sync: 'calendar calendars contacts data files repo repository account database folder directories directory',
  resolve: 'ticket issue incident thread alert conflict case dispute bug conversation review discussion blocker',
  complete: 'task tasks order purchase payment checkout todo todos reminder booking transaction upload',
  close: 'ticket issue account position case deal pr pull request door incident order positions discussion',
  open: 'ticket issue account case pr door position incident valve gate',
  ring: 'bell',
  water: 'plants plant garden',
  checkout: 'cart order branch basket',
  sign: 'document contract transaction agreement petition',
  print: 'document label receipt ticket invoice job',
  scale: 'deployment service cluster replicas',
  promote: 'user build release deployment version',
  expose: 'port',
  share: 'file document folder note calendar',
  store: 'knowledge item memory value document secret file record fact data note',
  record: 'payment expense transaction changes failure',
  log: 'workout expense meal hours',
  ack: 'message alert incident',
  consume: 'message messages token credits credit',
  pop: 'queue message stash',
  dock: 'pay',
  cp: 'file',
  turn: 'on off',
  switch: 'on off branch branches',
  cherry: 'pick',
  initialize: 'repository project database workspace',
  pull: 'changes commits',
  power: 'on off cycle',
  shut: 'down',
  start:
    'codespace server timer machine instance container service process vm job workflow build stream recording session container cluster migration',
  import:
    'contacts data users orders products records customers leads contact database repository group project recipe gists',
  request: 'access review reviewer reviewers approval refund leave',
  clean: 'up',
  protect: 'branch tag environment',
  reorder: 'issue card task',
  react: 'to',
  perform: 'updates deletions',
  initiate: 'transfer payment refund return call transaction deployment',
  roll: 'back',
  hang: 'up',
  tear: 'down',
  spin: 'up',
  accept: 'invitation request friend offer order payment task call invite quote bid',
  answer: 'call',
  empty: 'trash cart bin',
  check: 'in out',
  opt: 'in out',
  fill: 'card form field',
  link: 'account card issue person record',
  copy: 'file files folder page document sheet object directory',
  duplicate: 'page card document database',
  change: 'password status email owner state role plan address',
  fine: 'user',
};

export const sureVerbs = imperativesByForm(sure.split(' '));
export const leadingVerbs = imperativesByForm(leading.split(' '));
const objectsByVerb = new Map(Object.entries(byObject).map(([verb, objects]) => [verb, wordsOf(objects)]));
export const nounLikeVerbs = imperativesByForm(objectsByVerb.keys());

/** Returns whether a verb that is mostly a noun is a verb before a word: `book` before `flight`. */
export const isObjectOf = (verb: string, word: string): boolean => objectsByVerb.get(verb)?.has(word) === true;

/** Verbs that before an article or a pronoun still change nothing by themselves: their object decides there too. */
export const verbsThatNeedAnObject = wordsOf(
  'run exec invoke make place call page email message text resolve complete open sign print follow like log record link import fill ' +
    'label tag check turn switch power shut opt copy duplicate change capture pull initialize cherry bill scale promote expose clean protect reorder react initiate roll hang tear spin accept answer empty perform order start fine request dock cp consume pop',
);

/** Words before the object of a verb. */
export const determiners = wordsOf(
  'a an the your this that these those one two three all any every each new some my its his her their our it them him both multiple several ' +
    'another money funds more selected existing given specific',
);

/** Words that name a property of a thing, not a thing on which anything is done: `order_status`, `charge_history`. */
export const properties = wordsOf(
  'status state history log logs count counts counter number id ids name title type types info information detail details data rate rates price prices cost ' +
    'costs fee fees amount total totals statistics stats metrics summary size length height time times date dates day preview estimate stack base result results ' +
    'by of for in at from per with between on validator parser formatter checker tracker finder search lookup query analyzer analysis calculator ' +
    'converter viewer reader key keys version versions volume ratio trend trends forecast policy permissions permission limits limit quota events ' +
    'url link address theory operations methods guide docs help examples list overview available were was are is that which distance frequency speed latency throughput',
);
/** Properties that are never what a sure verb changes: `edit_distance`. */
export const neverChanged = wordsOf('distance frequency latency throughput speed');

/** Nouns of values, on which a computation works. */
const values =
  /^(?:(?:sub)?strings?|numbers?|decimals?|digits?|fractions?|floats?|integers?|whitespaces?|spaces|characters?|chars?|letters?|accents?|diacritics|punctuation|duplicates?|arrays?|vectors?|matri(?:x|ces)|polynomials?|json|xml|yaml|csv|html|markdown|css|markup|sums?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|dates?|times?|timestamps?|regex(?:es)?|patterns?|sentences?|expressions?|equations?|slugs?|svg|base64|jwt)$/;
/** Nouns of what is made and returned, and kept nowhere. */
const returned =
  /^(?:charts?|diagrams?|plots?|graphs?|images?|pictures?|thumbnails?|uuids?|guids?|hash(?:es)?|digests?|checksums?|passwords?|summar(?:y|ies)|qr|barcodes?|embeddings?|colou?rs?|palettes?|poems?|answers?|mocks?|samples?|quer(?:y|ies)|prompts?|outlines?|haikus?|jokes?|visuali[sz]ations?|maps?|texts?|words?|lines?|urls?|links?|lists?|tables?|reports?|plans?|codes?|ids?|signatures?|random|regex)$/;
/** Nouns of texts, which may be shortened. */
const texts = /^(?:texts?|words?|lines?|paths?|labels?|titles?)$/;
/** A place in which something is kept: `in the database`. */
const keeping =
  /\b(?:in|to|into|on) (?:(?:a|an|the|your|this|their|existing|new|given) )*(?:[\p{L}-]+ ){0,2}?(?:databases?|repositor(?:y|ies)|workspaces?|organi[sz]ations?|accounts?|projects?|servers?|buckets?|calendars?|inbox|mailbox|vaults?|disks?|files?|folders?|director(?:y|ies)|notes?|boards?|channels?|spreadsheets?|sheets?|cards?|issues?|tables?|tickets?|carts?|baskets?|crm|cms|users?|shops?|stores?|playlists?|slides?|requests?)\b|\bdatabase tables?\b|\bto (?:disk|slack)\b/u;
/** A text or the like from which something is removed, or to which it is added. */
const ofAText =
  /\b(?:from|in|into|within|of|to|onto) (?:(?:a|an|the|your|given|some|two|any|input|each) )*(?:text|strings?|arrays?|json|xml|yaml|csv|html|matrix|vector|sentence|markdown|svg|code snippet|prompt)\b(?! (?:channels?|messages?|columns?))/u;
const ofANumber =
  /\b(?:from|within|of|to) (?:(?:a|an|the|your|given|some|two|any|input|each) )*(?:numbers?|decimals?|expression|url|dates?|words?|prices?)\b/u;

/** Verbs that may only compute, with what they do it to and the values that count. */
const makingVerbs = wordsOf('create recreate write make draft');
const shorteningVerbs = wordsOf(
  'truncate remove replace trim strip drop insert append merge swap edit modify move put discard mark push pop sign print increment decrement attach add apply',
);
const textVerbs = wordsOf('truncate mark swap trim');

/** Words that only say what kind of thing a tool is, at the end of its name. */
const emptyTails = wordsOf('tool function api v1 v2');
const phraseEnds = wordsOf(
  'for from in to into with by of as and or then that which using via on at , ; : ( if when based between while so but after before is are it together against',
);

/** Returns the last word of the object that follows a verb; an empty text if none follows. */
export const headOfObject = (following: readonly string[]): string => {
  const end = following.findIndex((word) => phraseEnds.has(word));
  const phrase = following.slice(0, end < 0 ? 7 : Math.min(end, 7)).filter((word) => !emptyTails.has(word));
  const last = phrase.at(-1) ?? '';
  return /^(?:documents?|objects?)$/.test(last) && values.test(phrase.at(-2) ?? '') ? (phrase.at(-2) ?? '') : last;
};

/** Verbs that change a text or the like only where the sentence says so. */
const changingVerbsOfTexts = wordsOf('delete clear set reset update');

/** Returns whether what a verb does to its object only computes a value and is kept nowhere. */
export const onlyComputes = (verb: string, following: readonly string[], sentence: string): boolean => {
  const [where = ''] = sentence.split(' of ');
  if (changingVerbsOfTexts.has(verb))
    return ofAText.test(sentence) && !keeping.test(where) && !/\bfiles?\b/.test(sentence);
  if ((!makingVerbs.has(verb) && !shorteningVerbs.has(verb)) || keeping.test(where)) return false;
  // "Pushes the number of items to the accounting system" computes nothing.
  if (verb === 'push' && !/\b(?:onto|array|list|stack|vector)\b/.test(sentence)) return false;
  const head = headOfObject(following);
  if (values.test(head) || ((ofAText.test(sentence) || ofANumber.test(sentence)) && !/\bfiles?\b/.test(sentence)))
    return true;
  return (makingVerbs.has(verb) && returned.test(head)) || (textVerbs.has(verb) && texts.test(head));
};
