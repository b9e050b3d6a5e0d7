import type { Card } from './card.ts';

const ALMANAC = { path: 'almanac' };
const ATLAS = { path: 'atlas' };

/** What the tools of the server `git` do, in the two repositories `almanac` and `atlas`. */
export const git: readonly Card[] = [
  {
    tool: 'git/git_add',
    phrases: [
      'stage the file {paths} of the almanac',
      'put {paths} into the index of the almanac repository',
      'mark {paths} in the almanac for the next commit',
    ],
    slots: {
      paths: {
        kind: 'unstaged-file',
        samples: ['notes/ideas.txt', 'notes/checklist.md', 'notes/wind.txt'],
        argument: ['$value'],
      },
    },
    constants: ALMANAC,
    gives: [{ kind: 'text', noun: 'the staged file', pick: { path: 'stagedFiles.0' } }],
  },
  {
    tool: 'git/git_blame',
    phrases: [
      'find out who wrote each line of {filePath} in the almanac',
      'show the authorship of the almanac file {filePath} line by line',
      'tell who last changed the lines of {filePath} in the almanac',
    ],
    slots: {
      filePath: { kind: 'tracked-file', samples: ['README.md', 'data/tides.csv', 'notes/north-harbour.md'] },
    },
    constants: ALMANAC,
    gives: [
      { kind: 'commit', noun: 'the commit of the first line', pick: { path: 'lines.0.commitHash' } },
      { kind: 'text', noun: 'the author of the first line', pick: { path: 'lines.0.author' } },
    ],
  },
  {
    tool: 'git/git_branch',
    phrases: [
      'create the branch {branchName} in the almanac',
      'start a new branch called {branchName} in the almanac repository',
      'open a line of work named {branchName} as a branch of the almanac',
    ],
    slots: { branchName: { kind: 'new-branch', samples: ['winter-edition', 'sunrise-tables', 'fix-typos'] } },
    constants: { ...ALMANAC, mode: 'create' },
    gives: [{ kind: 'branch', noun: 'the name of the new branch', pick: { pattern: "Branch '([^']+)' created" } }],
  },
  {
    tool: 'git/git_changelog_analyze',
    phrases: [
      'gather the history of the almanac for a changelog review of {reviewTypes}',
      'analyse the changelog of the almanac with an eye on {reviewTypes}',
      'prepare a changelog analysis of the almanac about {reviewTypes}',
    ],
    slots: {
      reviewTypes: { kind: 'review-type', samples: ['features', 'security', 'quality'], argument: ['$value'] },
    },
    constants: { ...ALMANAC, maxCommits: 5 },
    gives: [{ kind: 'text', noun: 'the latest entry of the history', pick: { path: 'gitContext.commits.0.subject' } }],
  },
  {
    tool: 'git/git_checkout',
    phrases: [
      'switch the almanac to the branch {target}',
      'check out {target} in the almanac',
      'go over to the branch {target} of the almanac repository',
    ],
    slots: { target: { kind: 'branch', samples: ['moorings', 'lighthouses', 'ferries'] } },
    constants: ALMANAC,
    gives: [{ kind: 'text', noun: 'the branch that is checked out', pick: { path: 'target' } }],
  },
  {
    tool: 'git/git_cherry_pick',
    phrases: [
      'cherry-pick the tip of {commits} onto the main branch of the atlas',
      'copy the last commit of {commits} over to the current branch of the atlas',
      'apply only the newest change of {commits} in the atlas',
    ],
    slots: {
      commits: { kind: 'pickable-commit', samples: ['islands', 'coasts', 'passes'], argument: ['$value'] },
    },
    constants: ATLAS,
    gives: [{ kind: 'text', noun: 'the picked commit', pick: { path: 'pickedCommits.0' } }],
  },
  {
    tool: 'git/git_clean',
    phrases: [
      'tell which untracked files a clean-up of the almanac would remove',
      'rehearse the removal of untracked files from the almanac',
      'preview which stray files could be swept out of the almanac',
    ],
    slots: {},
    constants: { ...ALMANAC, dryRun: true },
    gives: [{ kind: 'unstaged-file', noun: 'the first stray file', pick: { path: 'filesRemoved.0' } }],
  },
  {
    tool: 'git/git_clear_working_dir',
    phrases: [
      'clear the session working directory of git',
      'let git forget its working directory',
      'reset the default repository of the git session to none',
    ],
    slots: {},
    constants: { confirm: 'Y' },
    gives: [],
  },
  {
    tool: 'git/git_clone',
    phrases: [
      'clone the repository {url} into the folder {path}',
      'make a local copy of {url} in {path}',
      'download the git repository {url} to {path}',
    ],
    slots: {
      url: {
        kind: 'repository-url',
        samples: ['https://git.example.com/harbour/almanac.git', 'https://git.example.com/harbour/atlas.git'],
      },
      path: { kind: 'clone-folder', samples: ['copy', 'mirror', 'second-home'] },
    },
    gives: [{ kind: 'text', noun: 'the commit at the head of the clone', pick: { path: 'commitHash' } }],
  },
  {
    tool: 'git/git_commit',
    phrases: [
      'commit the staged changes of the almanac with the message {message}',
      'record a commit in the almanac saying {message}',
      'seal what is staged in the almanac under the message {message}',
    ],
    slots: {
      message: { kind: 'text', samples: ['Add the list of ports', 'Prepare the spring edition', 'Tidy up the notes'] },
    },
    constants: { ...ALMANAC, allowEmpty: true },
    gives: [{ kind: 'commit', noun: 'the hash of the new commit', pick: { path: 'commitHash' } }],
  },
  {
    tool: 'git/git_diff',
    phrases: [
      'compare the working tree of the almanac with {target}',
      'show what changed in the almanac since {target}',
      'list the differences between {target} plus the present files of the almanac',
    ],
    slots: { target: { kind: 'revision', samples: ['v1.0.0', 'HEAD~1', 'HEAD~2'] } },
    constants: ALMANAC,
    gives: [
      { kind: 'integer', noun: 'the number of changed files', pick: { path: 'filesChanged' } },
      { kind: 'integer', noun: 'the number of inserted lines', pick: { path: 'insertions' } },
    ],
  },
  {
    tool: 'git/git_fetch',
    phrases: [
      'fetch the news of the remote into the almanac',
      'download new commits of the almanac without merging them',
      'ask the remote of the almanac for updates',
    ],
    slots: {},
    constants: { ...ALMANAC, remote: 'origin' },
    gives: [{ kind: 'revision', noun: 'the fetched reference', pick: { path: 'fetchedRefs.0' } }],
  },
  {
    tool: 'git/git_init',
    phrases: [
      'initialise a new git repository in {path}',
      'set up an empty repository called {path}',
      'turn the folder {path} into a git repository',
    ],
    slots: { path: { kind: 'new-repository', samples: ['logbook', 'gazette', 'journal'] } },
    constants: { initialBranch: 'main' },
    gives: [],
  },
  {
    tool: 'git/git_log',
    phrases: [
      'show the last {maxCount} commits of the almanac',
      'list the {maxCount} most recent entries in the history of the almanac',
      'look through the newest {maxCount} commits in the almanac',
    ],
    slots: { maxCount: { kind: 'commit-count', samples: [2, 3, 4] } },
    constants: ALMANAC,
    gives: [
      { kind: 'commit', noun: 'the hash of the latest commit', pick: { path: 'commits.0.hash' } },
      { kind: 'text', noun: 'the subject of the latest commit', pick: { path: 'commits.0.subject' } },
    ],
  },
  {
    tool: 'git/git_merge',
    phrases: [
      'merge the branch {branch} into the main branch of the atlas',
      'bring the work of {branch} together with main in the atlas',
      'integrate all of {branch} into the atlas by a merge',
    ],
    slots: { branch: { kind: 'mergeable-branch', samples: ['rivers', 'lakes', 'peaks'] } },
    constants: ATLAS,
    gives: [{ kind: 'text', noun: 'the merged file', pick: { path: 'mergedFiles.0' } }],
  },
  {
    tool: 'git/git_pull',
    phrases: [
      'pull the newest commits of the remote into the almanac',
      'bring the almanac up to date with its remote',
      'fetch plus integrate the remote changes of the almanac',
    ],
    slots: {},
    constants: ALMANAC,
    gives: [{ kind: 'text', noun: 'the pulled file', pick: { path: 'filesChanged.0' } }],
  },
  {
    tool: 'git/git_push',
    phrases: [
      'push the local commits of the atlas to its remote',
      'upload what is new in the atlas to origin',
      'publish the main branch of the atlas',
    ],
    slots: {},
    constants: ATLAS,
    gives: [],
  },
  {
    tool: 'git/git_rebase',
    phrases: [
      'rebase the main branch of the atlas onto {upstream}',
      'replay the local commits of the atlas on top of {upstream}',
      'put the own work in the atlas after the tip of {upstream} by rebasing',
    ],
    slots: { upstream: { kind: 'rebase-target', samples: ['forests', 'deserts', 'plains'] } },
    constants: ATLAS,
    gives: [],
  },
  {
    tool: 'git/git_reflog',
    phrases: [
      'show the last {maxCount} moves of HEAD in the almanac',
      'read {maxCount} lines of the reference log of the almanac',
      'trace where HEAD of the almanac has been over {maxCount} steps',
    ],
    slots: { maxCount: { kind: 'commit-count', samples: [2, 4, 6] } },
    constants: ALMANAC,
    gives: [{ kind: 'text', noun: 'the latest line of the reference log', pick: { path: 'entries.0.message' } }],
  },
  {
    tool: 'git/git_remote',
    phrases: [
      'add a remote called {name} to the almanac at {url}',
      'register {url} as the remote {name} of the almanac',
      'let the almanac know the remote {name} under {url}',
    ],
    slots: {
      name: { kind: 'new-remote', samples: ['backup', 'printer', 'friends'] },
      url: {
        kind: 'remote-url',
        samples: [
          'https://git.example.com/harbour/backup.git',
          'https://git.example.com/press/almanac.git',
          'https://git.example.com/club/almanac.git',
        ],
      },
    },
    constants: { ...ALMANAC, mode: 'add' },
    gives: [{ kind: 'text', noun: 'the name of the added remote', pick: { path: 'added.name' } }],
  },
  {
    tool: 'git/git_reset',
    phrases: [
      'move the current branch of the almanac back to {target}',
      'reset the almanac to {target} without touching its files',
      'undo the commits of the almanac after {target} while keeping the changes',
    ],
    slots: { target: { kind: 'older-revision', samples: ['HEAD~1', 'v1.0.0', 'HEAD~2'] } },
    constants: { ...ALMANAC, mode: 'mixed' },
    gives: [{ kind: 'commit', noun: 'the commit before the reset', pick: { path: 'previousCommit' } }],
  },
  {
    tool: 'git/git_set_working_dir',
    phrases: [
      'make {path} the working directory of the git session',
      'let git work in the repository {path} from now on',
      'choose {path} as the default repository for git',
    ],
    slots: { path: { kind: 'repository', samples: ['almanac', 'atlas'] } },
    gives: [
      {
        kind: 'text',
        noun: 'the newest subject in the chosen repository',
        pick: { path: 'repository.recentCommits.0.subject' },
      },
    ],
  },
  {
    tool: 'git/git_show',
    phrases: [
      'show the commit {object} of the almanac in full',
      'open the git object {object} in the almanac',
      'display message plus patch of {object} in the almanac',
    ],
    slots: { object: { kind: 'commit', samples: ['v1.0.0', 'HEAD', 'moorings', 'HEAD~1'] } },
    constants: ALMANAC,
    gives: [{ kind: 'text', noun: 'the message of the commit', pick: { pattern: '\\\\n\\\\n {4}(.+?)\\\\n' } }],
  },
  {
    tool: 'git/git_stash',
    phrases: [
      'stash the open changes of the almanac as {message}',
      'set the unfinished work of the almanac aside under the label {message}',
      'shelve what is uncommitted in the almanac with the remark {message}',
    ],
    slots: { message: { kind: 'text', samples: ['half done', 'before the release', 'work on the checklist'] } },
    constants: { ...ALMANAC, mode: 'push' },
    gives: [{ kind: 'text', noun: 'the stash reference', pick: { path: 'created' } }],
  },
  {
    tool: 'git/git_status',
    phrases: [
      'show the state of the working tree of the almanac',
      'tell which files of the almanac are staged or modified',
      'check whether the almanac has uncommitted changes',
    ],
    slots: {},
    constants: ALMANAC,
    gives: [
      { kind: 'text', noun: 'the current branch', pick: { path: 'currentBranch' } },
      { kind: 'unstaged-file', noun: 'the first untracked file', pick: { path: 'untrackedFiles.0' } },
    ],
  },
  {
    tool: 'git/git_tag',
    phrases: [
      'tag the current commit of the almanac as {tagName}',
      'put the tag {tagName} on the head of the almanac',
      'mark the almanac with the release tag {tagName}',
    ],
    slots: { tagName: { kind: 'new-tag', samples: ['v1.1.0', 'spring-edition', 'reviewed'] } },
    constants: { ...ALMANAC, mode: 'create' },
    gives: [{ kind: 'revision', noun: 'the new tag', pick: { path: 'created' } }],
  },
  {
    tool: 'git/git_worktree',
    phrases: [
      'add a second working tree of the almanac at {worktreePath}',
      'check the first release of the almanac out into the extra tree {worktreePath}',
      'open a parallel tree of the almanac in {worktreePath}',
    ],
    slots: { worktreePath: { kind: 'worktree-path', samples: ['../side', '../release', '../bench'] } },
    constants: { ...ALMANAC, mode: 'add', commitish: 'v1.0.0', detach: true },
    gives: [{ kind: 'text', noun: 'the path of the extra tree', pick: { path: 'added' } }],
  },
  {
    tool: 'git/git_wrapup_instructions',
    phrases: [
      'get the wrap-up checklist for the git session',
      'ask for the protocol that closes a git session',
      'show what has to be done before the git work counts as shipped',
    ],
    slots: {},
    constants: { acknowledgement: 'Y' },
    gives: [],
  },
];
