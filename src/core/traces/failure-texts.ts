import type { FailureClass } from './failure.ts';

/** Assigns a failure class by the text of an error. */
export interface TextRule {
  readonly name: string;
  readonly class: FailureClass;
  /** True if the text says only that the arguments were refused: `class` is for those that do not fit the schema. */
  readonly refusesArguments?: true;
  /**
   * One match is enough. The patterns have no state and look only a bounded distance ahead, so long texts cost little.
   */
  readonly patterns: readonly RegExp[];
  /** Messages of real servers. */
  readonly examples: readonly string[];
}

/** Texts that the product itself writes. */
export const ownTextRules: readonly TextRule[] = [
  // Texts that the product itself writes, before anything that a server's words inside them could mean. The server did
  // not deliver what it promised, or delivered too much: the service is at its limit, and the agent did nothing wrong.
  {
    name: 'result-schema-text',
    class: 'service-scope-limitation',
    patterns: [/^The result violates the tool's output schema: /],
    examples: ['The result violates the tool\'s output schema: #/timeout: Instance type "string" is invalid.'],
  },
  {
    name: 'result-size-text',
    class: 'service-scope-limitation',
    patterns: [/^result (?:larger than \d+ bytes|nested deeper than \d+ levels)$/],
    examples: ['result larger than 4194304 bytes', 'result nested deeper than 100 levels'],
  },
  {
    name: 'task-cancelled-text',
    class: 'asynchronous-indeterminacy',
    patterns: [/^task cancelled by the server(?:$|: )/],
    examples: ['task cancelled by the server', 'task cancelled by the server: maintenance'],
  },
];

/**
 * Texts of a server that is itself broken: errors of its own code, and programs, libraries and settings that it lacks.
 */
export const defectRule: TextRule = {
  name: 'defect-text',
  class: 'server-defect',
  patterns: [
    /'\w+' object (?:has no attribute|is not (?:subscriptable|iterable|callable))|\bobject has no attribute\b|\blist index out of range\b|\bstring indices must be integers\b|\bunhashable type\b|\btakes \d+ positional arguments? but \d+ (?:was|were) given\b|\bmissing \d+ required positional arguments?\b|\breferenced before assignment\b|\bmaximum recursion depth exceeded\b/i,
    /\bcannot read propert(?:y|ies) of (?:undefined|null)\b|\bis not a function\b|\bis not a constructor\b|\bundefined is not\b|\bmaximum call stack size exceeded\b|\bReferenceError\b|\bNullPointerException\b|\bnil pointer dereference\b|\bsegmentation fault\b|^panic: /im,
    /\bno module named\b|\bcannot import name\b|\brequires? (?:additional|optional|missing) dependenc(?:y|ies)\b|\bcannot find module\b|\berror while loading shared libraries\b|\bcould not locate the bindings file\b|\bwas compiled against a different Node\.js version\b|\bcannot open shared object file\b|\bspawn \S{1,200} ENOENT\b|\b(?:python\d?|node|ruby|perl|bash|sh): (?:can't|cannot|can not) open (?:file )?\S{1,300}\.(?:py|js|rb|pl|sh)\b/i,
    /\bexecutable (?:doesn't|does not) exist\b|--no-sandbox\b|\b(?:command|executable|binary|program|distribution)\b[^\n]{0,24}\b(?:is )?not found\b|\b(?:failed to|could not|cannot|unable to) (?:launch|start) (?:an? |the )?(?:[\w-]{1,20} )?(?:browser|chrome|chromium|firefox)\b/i,
    /\bdatabase disk image is malformed\b|\bunable to open database file\b|\binternal server error\b/i,
  ],
  examples: [
    "Error calling tool: 'NoneType' object has no attribute 'get'",
    "browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium",
    'Running as root without --no-sandbox is not supported',
    'Git command not found. Please ensure Git is installed and in your PATH.',
    'Could not start a debuggable Chrome: The CHROME_PATH environment variable must be set.',
    'ModuleNotFoundError: No module named pandas',
    'Compression failed: ZIP compression requires additional dependencies.',
    'Database error: Could not locate the bindings file. Tried: /srv/app/build/better_sqlite3.node',
    'libvips-cpp.so.42: cannot open shared object file: No such file or directory',
  ],
};

/** Unambiguous rules, in this order. */
export const unambiguousTextRules: readonly TextRule[] = [
  {
    name: 'unknown-parameter-text',
    class: 'undefined-parameter-key',
    patterns: [
      /\bunrecogni[sz]ed[_ ]keys?\b|\bextra_forbidden\b|\bextra (?:inputs|fields|properties) (?:are )?not (?:permitted|allowed)/i,
      /\b(?:unknown|unexpected|unsupported|undefined|unrecogni[sz]ed) (?:keyword )?(?:parameter|argument|keyword|property|query param)(?:s|\(s\))?\b/i,
      /\badditional propert(?:y|ies)\b[^\n]{0,60}\bnot\b|\bmust not have additional properties\b/i,
      /未知(?:的)?(?:参数|字段)|不存在的参数|参数名(?:称)?(?:错误|不存在|无效)|多余的?参数/,
    ],
    examples: [
      "get_stock_info() got an unexpected keyword argument 'symbol'",
      '1 validation error for searchArguments\nlimit\n  Extra inputs are not permitted [type=extra_forbidden]',
      '未知参数: page_no',
    ],
  },
  {
    name: 'network-text',
    class: 'network-instability',
    patterns: [
      /\b(?:getaddrinfo|ENOTFOUND|EAI_AGAIN|ECONNRESET|ECONNREFUSED|ECONNABORTED|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT)\b/,
      /\bERR_(?:NAME_NOT_RESOLVED|CONNECTION_\w+|INTERNET_DISCONNECTED|NETWORK_CHANGED|ADDRESS_UNREACHABLE|TUNNEL_CONNECTION_FAILED|PROXY_CONNECTION_FAILED|SSL_\w+|CERT_\w+)|\bUND_ERR_(?:CONNECT_TIMEOUT|SOCKET)\b/,
      /\bsocket hang up\b|\b(?:TypeError: |Error: |: |^)fetch failed\b|\bnetwork (?:error|is unreachable|issue|failure)\b|\bno route to host\b/i,
      /\bconnection (?:issue|refused|reset|aborted|timed out|time-?out|error|was (?:reset|refused|aborted))\b|\bconnect ?timeout\b|\b(?:could not|cannot|can't|unable to|failed to) (?:reach|connect to)\b|\b(?:server|host|service|endpoint) (?:is )?(?:currently )?(?:unavailable|unreachable)\b|\bfailed to establish a new connection\b/i,
      /\bcould ?n[o']t resolve host\b|\btemporary failure in name resolution\b|\bname or service not known\b|\bmax retries exceeded\b|\bno such host\b|\bno internet (?:connection|access)\b|\b(?:ensure|check|verify)\b[^\n]{0,30}\b(?:internet|network) (?:connection|connectivity|access)\b/i,
      /网络(?:错误|异常|连接失败|不可用|不通)|连接(?:失败|被拒绝|超时|被?重置)|域名解析失败|无法连接(?:到)?服务器/,
    ],
    examples: [
      'getaddrinfo EAI_AGAIN restapi.amap.com',
      'request to https://api.balldontlie.io/v1/players failed, reason: socket hang up',
      'Failed to fetch robots.txt https://example.com/robots.txt due to a connection issue',
      'page.goto: net::ERR_NAME_NOT_RESOLVED at https://nowhere.example/',
      'Unable to load the list. Please check your internet connection.',
    ],
  },
  {
    name: 'authentication-text',
    class: 'authentication-deficit',
    patterns: [
      /\bunauthori[sz]ed\b|\bunauthenticated\b|\bAuthenticationError\b|\bauthentication (?:failed|required|error|token is missing)\b/i,
      /\bnot (?:logged|signed) in\b|\bmust be (?:logged|signed) in\b|\b(?:log|sign)[ -]?in (?:is )?required\b|\b(?:please|need to|have to|must) (?:first )?(?:log|sign|re-?log) ?in\b|\blogin expired\b/i,
      /\b(?:invalid|missing|incorrect|expired|bad|wrong|no) (?:api|access|auth|authentication|authorization|bearer|refresh|user|service)[ _-]?(?:key|token|header|credentials?)\b|\b(?:invalid|bad|missing|no) credentials\b/i,
      /\bapi[ _-]?key\b[^.\n]{0,40}\b(?:invalid|missing|required|expired|not (?:set|provided|found|valid|configured))\b|\bINVALID_(?:USER|API)_?KEY\b|\b(?:access |auth |bearer )?(?:token|cookie)s? (?:is |are |has |have )?(?:been )?(?:expired|revoked)\b/i,
      /未登录|没有登录|请(?:先|重新)?登[录陆]|登[录陆](?:状态)?(?:已)?(?:过期|失效)|(?:身份|登录)?(?:认证|鉴权)失败|(?:密钥|[Kk][Ee][Yy]|[Tt]oken)\s?(?:无效|不存在|错误|已?过期|未配置)/,
    ],
    examples: [
      'AuthenticationError: Must be logged in to publish a note',
      'INVALID_USER_KEY',
      'API key not configured. Set BALLDONTLIE_API_KEY.',
      '未登录，请先扫码登录',
    ],
  },
  {
    name: 'context-text',
    class: 'context-invalidation',
    patterns: [
      /\bexecution context (?:was|is|has been) (?:destroyed|lost)\b|\bcannot find context with specified id\b|\b(?:target|page|browser|context|frame|tab)\b[^.\n]{0,40}\bhas been (?:closed|destroyed|detached)\b/i,
      /\bstale element reference\b|\belement is not attached\b|\b(?:node|element|frame) (?:is|was|got) detached\b|\bdetached from (?:the )?(?:dom|document)\b|\b(?:target|session|page|browser|tab) (?:was )?closed\b/i,
      /\bsession\b[^.\n]{0,40}\b(?:expired|timed out|terminated|been closed|no longer (?:exists|valid))\b|\b(?:cursor|page token|continuation token|handle)\b[^.\n]{0,30}\b(?:expired|no longer valid)\b/i,
      /上下文(?:已)?(?:失效|销毁|丢失)|会话(?:已)?(?:过期|失效|结束|关闭)|页面(?:已)?(?:关闭|失效|跳转)/,
    ],
    examples: [
      'page._snapshotForAI: Execution context was destroyed, most likely because of a navigation',
      'locator.click: Target page, context or browser has been closed',
      'stale element reference: element is not attached to the page document',
    ],
  },
  {
    name: 'scope-text',
    class: 'service-scope-limitation',
    patterns: [
      /\brate[ _-]?limit(?:ed|s|ing)?\b|\brequests too (?:quickly|fast|often)\b|\bnot (?:\w+ )?available yet\b|\btoo many requests\b|\bquota\b|\bOVER_LIMIT\b|_OVER_LIMIT\b|\bEXCEEDED_THE_LIMIT\b|_EXCEEDED_THE_LIMIT\b|\bINSUFFICIENT_\w*PRIVILEGES\b|\bSERVICE_NOT_AVAILABLE\b/i,
      /\b(?:region|country|area|location|territory|city|market|exchange|language)\b[^.\n]{0,40}\b(?:not|isn't|aren't) (?:currently |yet |temporarily )?(?:supported|available|covered)\b|\bnot (?:supported|available) in (?:your|this|the) (?:region|country|area|territory|current plan|plan)\b/i,
      /\b(?:upgrade|subscribe) (?:to|your)\b|\b(?:your|current|free|paid|premium|this) (?:\w+ )?(?:plan|subscription|tier)\b|\binsufficient (?:balance|credits?|funds)\b|\bbilling\b/i,
      /(?:暂|尚|目前)?不支持(?:该|此|当前|这个)?的?(?:地区|区域|城市|国家|服务)|(?:地区|区域|城市|国家).{0,8}不支持|配额|额度(?:不足|已?用完|已?用尽)|余额不足|(?:次数|访问量|频率|速率|并发).{0,6}(?:超限|已达上限|超过限制|限制|过高)|请求过于频繁/,
    ],
    examples: [
      'This area is not supported temporarily',
      'INSUFFICIENT_ABROAD_PRIVILEGES',
      'USER_DAILY_QUERY_OVER_LIMIT',
      'User location is not supported for the API use.',
      '请求过于频繁，请稍后再试',
    ],
  },
  {
    name: 'policy-text',
    class: 'access-policy-rejection',
    patterns: [
      /\brobots\.txt\b[^\n]{0,60}\b(?:specifies|disallow)|\bdisallowed by [^\n]{0,40}robots\.txt|\bautonomous fetching\b/i,
      /\bforbidden\b(?! (?:char|word|value|key|name))|\bERR_ACCESS_DENIED\b|\baccess to (?:this|the) [\w ]{1,30} (?:has been|is|was) (?:restricted|denied|blocked)\b|\baccess (?:is |was )?denied\b|\bpermission denied\b|\bEACCES\b|\bEPERM\b|\boperation not permitted\b|\binsufficient (?:\w+ )?(?:permissions?|scopes?|privileges?)\b|\b(?:does|do) not have (?:\w+ )?permissions?\b|\bread-only transaction\b|\bnot authori[sz]ed to\b/i,
      /\boutside (?:of )?(?:the )?allowed\b|\bnot in (?:the )?allow(?:ed|list)\b|\bpath traversal\b|\bprotected branch\b|\b(?:content|safety|security|usage) policy\b|\bblocked by\b|\b(?:cancell?ed|aborted|blocked|refused|rejected) for (?:safety|security)\b|\b(?:operation|access|action|command|query|statement) (?:is |are )?not (?:allowed|permitted)\b/i,
      /\bcaptcha\b|\banti-?(?:bot|crawl|scraping)\b|\bSina Visitor System\b|\bverify (?:that )?you are (?:a )?human\b|\bare you a (?:robot|human)\b|\bunusual traffic\b|\bAttention Required! \| Cloudflare\b/i,
      /访问被拒绝|拒绝访问|没有权限|无权(?:限|访问)|权限不足|禁止访问|验证码|人机验证|安全验证|风控|违反.{0,8}(?:规定|政策|规范)/,
    ],
    examples: [
      'The sites robots.txt (https://x.example/robots.txt), specifies that autonomous fetching of this page is not allowed, <useragent>ModelContextProtocol/1.0</useragent>',
      'Access denied - path outside allowed directories: /etc/passwd not in /data',
      'Access to this API has been restricted',
      'Sina Visitor System window.use_fp',
      "Error: EACCES: permission denied, open '/root/notes.md'",
      'Deletion cancelled for safety',
    ],
  },
  {
    name: 'contention-text',
    class: 'resource-contention',
    patterns: [
      /\b(?:browser|port|address|device|profile|file|resource|directory|database|socket)\b[^\n]{0,120}\balready in use\b|\balready in use (?:by|for)\b|\bEADDRINUSE\b|\bEBUSY\b|\bETXTBSY\b|\bEMFILE\b|\btoo many open files\b|\bresource (?:is )?busy\b/i,
      /\bis (?:currently |already )?locked\b|\bcould not (?:acquire|obtain|get|lock)\b[^\n]{0,40}\block\b|\bunable to (?:acquire|obtain) [^\n]{0,40}\block\b|\bindex\.lock\b|\bSQLITE_BUSY\b|\bdeadlock\b|\block wait\b/i,
      /\b(?:used|held|locked|edited) by another (?:process|user|session|client)\b|\banother [\w-]{1,20}(?: process)?\b[^\n]{0,40}\b(?:is )?(?:already )?(?:running|in progress|using)\b|\bconcurrent (?:modification|update|access|write)s?\b|\b(?:version|write|edit) conflict\b/i,
      /被(?:其他|另一个?)[^\n]{0,10}(?:占用|使用|锁定)|(?:已被?|正被)(?:占用|锁定)|资源(?:冲突|被占用)|正在被使用/,
    ],
    examples: [
      'Browser is already in use for /home/u/.cache/ms-playwright/mcp-chrome, use --isolated to run multiple instances of the same browser',
      "fatal: Unable to create '/repo/.git/index.lock': File exists.",
      'sqlite3.OperationalError: database is locked',
    ],
  },
  {
    name: 'time-text',
    class: 'asynchronous-indeterminacy',
    patterns: [
      /\btimed[ -]out\b|\bTimeoutError\b|\bdeadline exceeded\b|(?<!\b(?:invalid|for|parameter|argument|option|the|your) )\btimeout\b(?![^\n]{0,20}\b(?:must|should|parameter|value|option|argument|cannot|invalid)\b)/i,
      /\b(?:still|is|are) (?:pending|processing|being processed|in progress)\b|\bnot (?:yet )?(?:completed|finished|ready)\b|\b(?:state|status|result|outcome) (?:is |was )?unknown\b|\bunknown (?:state|status|result|outcome)\b|\bno response (?:was )?received\b|\boperation was aborted\b/i,
      /超时|(?:正在)?处理中|正在处理|状态未知|结果未知|尚未完成/,
    ],
    examples: [
      'Publish completion timeout',
      'MCP error -32001: Request timed out',
      'locator.click: Timeout 5000ms exceeded.',
      'context deadline exceeded',
      '发布超时，请稍后查看结果',
    ],
  },
  {
    name: 'precondition-text',
    class: 'precondition-violation',
    patterns: [
      /\bno (?:open|active|current|connected|selected) (?:[\w.]{1,20} )?(?:page|tab|browser|session|connection|project|document|workbook|window|file|database)s?\b|\bno (?:\w+ ){1,4}(?:is |has been )?(?:set|selected|open|opened|configured)\b/i,
      /\b(?:must|need to|please|should|have to|use|call|run)\b[^.\n]{1,80}\bfirst\b(?! (?:element|argument|character|row|line|item|letter|column|day|parameter|page|entry))/i,
      /\bnot (?:yet )?(?:been )?(?:initiali[sz]ed|connected|started|opened|loaded|running|logged)\b|\bbefore (?:calling|using|running|you can)\b|\bnot a git repository\b|\bFAILED_PRECONDITION\b|\brequires (?:an? )?(?:explicit )?confirmation\b|\bconfirmation (?:is )?(?:required|needed)\b|\bprecondition (?:failed|required)\b/i,
      /\bnot enough (?:activity|data|history|entries|items|points|samples)\b|\bnothing to (?:export|commit|undo|redo|save|merge|stash|do|show|send|delete)\b/i,
      /请先|需要先|必须先|(?:未|尚未|没有)(?:初始化|打开|连接|启动|创建|选择)/,
    ],
    examples: [
      'Error: No open pages available. Use the "browser_navigate" tool to navigate to a page first.',
      "No session working directory set. Please specify a 'path' or use 'git_set_working_dir' first.",
      'Not enough activity to summarize',
      'Safety confirmation required. Set confirm=true to proceed.',
      'fatal: not a git repository (or any of the parent directories): .git',
      '请先打开一个页面',
    ],
  },
  {
    name: 'syntax-text',
    class: 'syntactic-malformation',
    patterns: [
      // An HTML page instead of JSON came from the service behind the server, not from the agent.
      /^(?![\s\S]*<(?:!doctype|html))[\s\S]*?\b(?:JSONDecodeError|JSON\.parse|unexpected (?:token|end of (?:JSON )?input|character|non-whitespace)|Expecting (?:value|property name|',' delimiter)|invalid control character|not valid JSON)/i,
      /\b(?:invalid|malformed|bad|broken) (?:JSON|XML|YAML|HTML|CSV|SVG|SQL|base64|regex|regular expression|UUID|URL|URI|cron expression)\b|\bis not (?:a )?valid (?:XML|YAML|UUID|URL|URI|date|email|base64|regular expression)\b|\bERR_INVALID_URL\b/i,
      /\bsyntax ?error\b|\b(?:parse|parsing) error\b|\bParserError\b|\bunterminated (?:string|regexp?|quoted|group)\b|\b(?:failed|unable) to parse (?:the )?(?:\w{1,20} ){0,2}(?:input|arguments?|parameters?|date|time|expression|query|formula|request)\b|\b(?:could not|cannot|can't) parse (?:the )?(?:input|arguments?|parameters?|date|time|expression|query|formula|request)\b/i,
      /\binvalid [\w -]{0,30}format\b|\bformat (?:is|was) (?:invalid|incorrect|wrong)\b|\bdoes not match (?:the )?(?:expected |required )?(?:format|pattern)\b|\bInvalid (?:date|time value|isoformat string)\b/i,
      /格式(?:错误|不正确|不对|无效|有误)|(?:解析|JSON)\s?(?:失败|错误)|语法错误/,
    ],
    examples: [
      'JSONDecodeError: Invalid control character at: line 1 column 15 (char 14)',
      'Unexpected token \'a\', "abc" is not valid JSON',
      'near "FORM": syntax error',
      'Invalid ID format: 12. Expected format like: PREFIX-ABC123',
      'Unable to parse relative time: blue',
      '日期格式错误，应为 YYYY-MM-DD',
    ],
  },
];

/**
 * Rules for texts that arguments violating the schema can also cause; they apply after the schema check, in this order.
 */
export const ambiguousTextRules: readonly TextRule[] = [
  {
    name: 'unknown-thing-text',
    class: 'invalid-artifact-reference',
    patterns: [
      /\b(?:unknown|unrecogni[sz]ed|undefined) (?:component|server|project|channel|database|collection|dataset|model|template|theme|element|block|sheet|location|shape|icon|plugin|workspace|account|device|session id|tool|resource|entity|id|node|file|user|symbol|ticker|player|team|branch|revision)\b/i,
      /\bunknown (?!action|operation|mode|option|format|type|command|unit|error|exception|failure|issue|reason|state|status|host|parameter|argument|keyword|property|field|key)[\w-]{2,30}: ?[\w"'`]/i,
      /\bserver ["'`…][^\n]{0,80} is not defined\b|\bis not a property that exists\b|\bcould(?:n't| not) find\b[^\n]{0,60}\bfor (?:these|this|the) identifiers?\b/i,
      /\bno (?!results|data|matches|such)(?:\w+ ){1,3}(?:(?:matching|for|named|with (?:id|name|key)|called) ?["'`…]|(?:matching|matched)\b|(?:was|were) found\b|found (?:matching|for|with)\b)/i,
    ],
    examples: [
      'Unknown component "x". Available: button, card',
      'Unknown resource: demo://resource/static/999',
      "No files matching 'north' were found.",
      'No pending request for "x"',
      'Unknown workflow: spiral',
    ],
  },
  {
    name: 'constraint-text',
    class: 'implicit-business-constraint',
    patterns: [
      /\bOVER_DIRECTION_RANGE\b|(?<!\bindex )\bout[ _]of[ _](?:range|bounds)\b|\btoo_(?:big|small)\b|\btoo (?:long|short|large|small|many|few|big|far|high|low)\b|\bexceed(?:s|ed|ing)?\b[^\n]{0,40}\b(?:max(?:imum)?|limit|length|size|bytes)\b/i,
      /\b(?:must|should|has to|have to|needs? to|can ?not|can't|may not)\b[^.\n]{0,40}\b(?:at (?:most|least)|less|greater|more|fewer|longer|shorter|larger|smaller|exceed|between|positive|negative|non-?empty|empty|unique|one of|in the (?:past|future)|before|after|within|up to)\b/i,
      /\b\d+ (?:\w+ )?or (?:less|fewer|more)\b|\b(?:max|min)(?:imum)? (?:length|value|size|number|allowed|of|is)\b|\bat (?:most|least) (?:\d|one)\b/i,
      /\balready exists\b|\bEEXIST\b|\bduplicate\b|\bcannot (?:specify|combine|use|set|provide) both\b|\bcan ?not (?:contain|include|start with|end with)\b|\bsimultaneously\b|\bviolates (?:foreign key|unique|not-null|check) constraint\b|\b(?:foreign key|unique|not null|check) constraint failed\b|\b(?:mutually exclusive|cannot be combined)\b/i,
      /\bmust be an? \w{1,20} (?:query|statement|expression|command)\b/i,
      /\bmust be (?:an? )?(?:finite|valid|even|odd|integer|whole|multiple)\b|\b(?:can ?not|can't|must not|may not) be empty\b|\binvalid [\w-]+: [^\n]{1,60}\bmust be\b|\b(?:is|was) (?:not|n't) (?:an? )?(?:allowed|valid|supported|known) (?:value|choice|option|unit|currency|timezone|time zone)\b|\b(?:supported|allowed|valid|available)(?: values| types| options| algorithms| units| formats)?(?: are|:)|\binvalid [\w-]+: [^\n]{1,80}\bavailable [\w-]+:/i,
      /\bonly [\w ,*/-]{1,60} (?:are|is) (?:supported|allowed|permitted|accepted)\b|\b(?:is not|must be) (?:an )?absolute\b|\b(?:expected|provide|specify) (?:exactly |only |at least )?one of\b|\b(?:provide|specify|pass|supply) either\b|\bexactly one of\b|\b(?:is|are) required (?:when|if|unless|for)\b|\beither [^\n]{1,60}\bor\b[^\n]{1,60}\b(?:required|provided|specified)\b/i,
      /\bis ambiguous\b|\b(?:queries|statements) are not (?:allowed|supported) for [a-z]+_\w+|\bis not an? (?:\w+ )?type\b|\bcannot cast\b|\bmust appear in the GROUP BY\b|\b(?:invalid \w+|illegal) name\b|\billegal (?:argument|value|parameter|character)s?\b|\bunknown (?:action|operation|mode|option|format|type|command|unit)\b|\bunsupported (?:\w+ ){0,2}(?:format|extension|encoding)\b|\b(?:changing|setting|updating|moving|adding|removing|using|combining) [^\n]{1,80} is not (?:supported|allowed|possible)\b|\bnot supported for\b/i,
      /不能超过|不得超过|超[出过](?:了)?(?:最大)?(?:范围|长度|限制|上限)|不能为空|最多|至少|必须(?:大于|小于|在|为|是|介于)|长度(?:必须|应|不)|已存在|不在[^\n]{0,12}范围|(?:只能?|仅能?|必须)[^\n]{0,12}其中(?:之)?一|二选一|互斥|需要(?:指定|提供)[^\n]{0,30}参数/,
      // Nothing was named: what has no name cannot be a wrong one.
      /\bnot found:[ \t]*(?:undefined|null|""|'')?[ \t]*(?:$|\n[^\n]{0,40}\bavailable\b)/i,
    ],
    examples: [
      'Title must be 20 characters or less',
      'Walking failed: OVER_DIRECTION_RANGE',
      'SQLITE_CONSTRAINT: FOREIGN KEY constraint failed',
      'Archive extraction failed: Unsupported archive format: .txt',
      'Destination already exists: /data/b.txt',
      'Cannot specify both head and tail parameters simultaneously',
      'Provide either "json_path" or "data" parameter',
      '标题长度不能超过20个字',
      'View definition must be a SELECT query.',
      '执行失败: mysql 数据库需要指定 host 和 port 参数',
      'Widget not found: \nAvailable widgets: clock, map',
    ],
  },
  {
    name: 'validation-text',
    class: 'syntactic-malformation',
    refusesArguments: true,
    patterns: [
      /\bfailed validation\b|\bshould be (?:an? \w+|defined|not present)\b|\binput data should be\b|\binput validation error\b|\binvalid arguments for tool\b|\binvalid (?:input |request )?(?:param(?:eter)?|argument)s? ?[:"'`(]|\bvalidation errors? for\b|\binvalid_(?:type|enum_value|union|literal|string|format|value)\b|\btype=(?:missing|\w+_type|\w+_parsing)\b/i,
      /\bmissing (?:\d+ )?required\b|\brequired property\b|\bfield required\b|\bis not of type\b|\bexpected \w+, (?:received|got) \w+\b|\bmust be (?:an? )?(?:string|number|boolean|array|object|list)\b|\bis a required property\b/i,
      /缺少(?:必[填需要]的?)?参数|参数类型(?:错误|不正确)/,
    ],
    examples: [
      'MCP error -32602: Input validation error: Invalid arguments for tool get_sum: expected number, received string',
      '1 validation error for fetchArguments\nurl\n  Field required [type=missing, input_value={}, input_type=dict]',
      'Base color is required and must be a string',
      'Invalid parameter: a,b',
      '缺少必填参数: city',
    ],
  },
  {
    name: 'missing-thing-text',
    class: 'invalid-artifact-reference',
    patterns: [
      /\bENOENT\b|\bENOTDIR\b|\bEISDIR\b|\bis (?:not )?a (?:regular )?(?:file|directory|folder)\b|\bNoSuch(?:Key|Bucket|Element)\w*\b|\bFileNotFoundError\b|\bno such (?:file|directory|table|column|element|entity|object|record|branch|commit|tag|node|id|item|tool|user|page)\b/i,
      /(?<!\b(?:command|module|executable|binary|program|package|distribution)\b[^\n]{0,24})(?:\bnot found\b|\bdo(?:es)?(?: not|n't) exist\b)|\b(?:could not|couldn't|cannot|can't|unable to) (?:find|locate|be found)\b/i,
      /\bunknown (?:tool|resource|entity|id|node|file|user|symbol|ticker|player|team|branch|revision)\b|\bbad revision\b|\bdid not match any file|\bno data found, symbol may be delisted\b/i,
      /不存在|未找到|找不到|没有找到|无法找到|查无此/,
    ],
    examples: [
      'Local image file not found: /tmp/chart.png',
      'Path is not a file',
      "ENOENT: no such file or directory, open '/data/report.csv'",
      'Entity with name Alice not found',
      'Could not find exact match for edit:\nfoo',
      '文件不存在: /tmp/a.png',
    ],
  },
  {
    // If the schema states the requirement, the schema check has already decided.
    name: 'requirement-text',
    class: 'implicit-business-constraint',
    patterns: [
      /\b(?:is|are) required\b|\bmust be (?:specified|provided|given)\b|\bmissing (?:argument|parameter|value)s?\b|\bno (?:updates|changes|fields|values) (?:were )?(?:provided|specified|given)\b|\b(?:was ?n[o']t|were ?n[o']t|not) supplied\b|\bplease (?:provide|specify)\b|\brequired["'.!\s}]*$/i,
      /缺少|请提供|请输入|请指定/,
    ],
    examples: [
      'file_path and ids are required',
      '{ "op": "add", "error": "date and n required" }',
      'Working directory must be specified',
      '请提供城市名称',
    ],
  },
  {
    name: 'unsupported-text',
    class: 'service-scope-limitation',
    patterns: [/\bnot (?:currently |yet )?(?:supported|implemented)\b|\bunsupported\b/i, /不支持|未实现/],
    examples: ["Git operation 'stash' is not supported by provider 'isomorphic'", '当前版本不支持此操作'],
  },
];
