/**
 * Words in the names of half the products of the trade, which alone identify none: parts of programs, their subjects, and the systems that they
 * are for. The kernel of Linux is known by its repository or CPE: its name is also that of all that runs on it.
 */
export const tradeWords: ReadonlySet<string> = new Set(
  `
  account accounts action actions adapter addon addons admin agent agents ai analytics android api apis app application applications apps
  archive archiver assets assistant async audio auth authentication authorization auto automation backend backup base basic batch bin binaries
  binary block blog board boot bootloader bot bridge browser build builder bundle cache calendar captcha cart catalog chart charts chat check
  checker cli client clients cloud cluster cms code codec collection collector command commerce common commons community compiler component
  components compression config configuration connect connector console contact container containers content control controller converter core
  crm crypto css daemon dashboard data database date db debug debugger default demo desktop dev device devices diff directory dist dns doc docs
  document documentation documents download driver drivers edge editor element elements email embedded encoder engine enterprise env environment
  error event events example examples export express extension extensions external fetch file filemanager files filter firewall firmware font
  fonts form format forms forum foundation framework free frontend function functions gallery game games gateway generator generic global go
  graph graphics gui handler hardware hash health hello help helper helpers home host html http https hub icon icons id identity image
  images import index info input install installer instance integration integrations interface internal ios iot javascript job jobs js json
  jwt kernel key keys kit language launcher layout lib libraries library libs license linux list live load loader local log logger logging login
  logs mac macos mail main manage management manager map maps market markdown master math media memory menu message messages messaging
  metadata metrics middleware migration mobile mock model models module modules monitor monitoring music native net network news notes
  notification notifications object objects office online open operator options os output package packages page pages panel parser password patch
  path payment pdf plain platform player plugin plugins policy popup portal post posts printer pro process product products profile
  program project projects protocol provider proxy public query queue random reader recorder redirect registry release remote render
  renderer report reporting reports repository request requests resource resources response rest role root route router routes routing rpc ruby
  rule rules runner runtime sample samples sandbox scan scanner schedule scheduler schema screen script scripts sdk search secure security
  select serializer server servers service services session sessions settings setup share shared shell shim shop shopping simple site slider
  social socket software solution source sources spec sql ssl sso standard static stats status storage store stream streaming string studio style
  styles suite support switch sync system systems tab table tables tag tags task tasks template templates terminal test testing tests text theme
  themes thread time timer tls token tokens tool toolkit toolbox tools tracker training translate tree types ui unix update updater upload url
  user users util utilities utility utils validation validator value vendor version versions video view viewer views virtual visual vm voice vpn web
  webapp webhook webserver website widget widgets wifi wiki window windows word worker workflow workspace wrapper writer xml yaml zip
  `
    .trim()
    .split(/\s+/),
)
