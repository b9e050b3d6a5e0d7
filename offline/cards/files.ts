import type { Card } from './card.ts';

/** What the tools of the server `files` do. */
export const files: readonly Card[] = [
  {
    tool: 'files/read_file',
    phrases: [
      'show the complete contents of the file {path}',
      'open the file {path} to see everything in it',
      'print the whole file {path}',
    ],
    slots: {
      path: { kind: 'text-file', samples: ['notes/ideas.md', 'data/sales.csv', 'archive/summary.txt', 'todo.txt'] },
    },
    gives: [{ kind: 'text', noun: 'the first line of the file', pick: { pattern: '^\\s*(\\S.*)' } }],
  },
  {
    tool: 'files/read_text_file',
    phrases: [
      'read the first {head} lines of the text file {path}',
      'give me the top {head} lines from {path}',
      'quote the beginning of {path}, {head} lines long',
    ],
    slots: {
      path: {
        kind: 'text-file',
        samples: ['data/temperatures.csv', 'todo.txt', 'config/settings.json', 'notes/today.md'],
      },
      head: { kind: 'line-count', samples: [1, 2, 3] },
    },
    gives: [{ kind: 'text', noun: 'the top line of the text', pick: { pattern: '^\\s*(\\S.*)' } }],
  },
  {
    tool: 'files/read_media_file',
    phrases: ['load the picture {path}', 'fetch the image stored at {path}', 'show me the media file {path}'],
    slots: { path: { kind: 'image-file', samples: ['images/sea.png', 'images/brick.png', 'images/moss.png'] } },
    gives: [],
  },
  {
    tool: 'files/read_multiple_files',
    phrases: [
      'read the files {paths} in one go',
      'show the contents of several files at once: {paths}',
      'open all of {paths} together',
    ],
    slots: {
      paths: {
        kind: 'text-file-list',
        samples: [
          ['todo.txt', 'notes/ideas.md'],
          ['data/sales.csv', 'data/temperatures.csv'],
          ['notes/today.md', 'notes/meeting.md'],
        ],
      },
    },
    gives: [{ kind: 'text', noun: 'the first line of the first file', pick: { pattern: '^\\S+:\\n\\s*(\\S.*)' } }],
  },
  {
    tool: 'files/write_file',
    phrases: [
      'write {content} to the file {path}',
      'save {content} as {path}',
      'store the text {content} in a file called {path}',
    ],
    slots: {
      content: {
        kind: 'text',
        samples: ['remember the paper order', 'forty copies are enough', 'the lamp is repaired'],
      },
      path: { kind: 'new-text-file', samples: ['notes/result.md', 'archive/record.txt', 'data/output.txt'] },
    },
    gives: [{ kind: 'text-file', noun: 'the path of the saved file', pick: { pattern: 'wrote to (\\S+)' } }],
  },
  {
    tool: 'files/edit_file',
    phrases: [
      'replace the open status line of the note {path} by {edits}',
      'edit the note {path} so that its status line reads {edits}',
      'change the status line in {path} to {edits}',
    ],
    slots: {
      path: { kind: 'note-with-status', samples: ['notes/today.md', 'notes/ideas.md', 'notes/meeting.md'] },
      edits: {
        kind: 'text',
        samples: ['Status: done', 'Status: waiting for Wim', 'Status: moved to next week'],
        argument: [{ oldText: 'Status: open', newText: '$value' }],
      },
    },
    gives: [{ kind: 'text', noun: 'the new status line', pick: { pattern: '\\n\\+(?!\\+\\+)(.+)' } }],
  },
  {
    tool: 'files/create_directory',
    phrases: ['create the folder {path}', 'make a new directory {path}', 'set up an empty folder called {path}'],
    slots: { path: { kind: 'new-folder', samples: ['reports/spring', 'exports', 'notes/old'] } },
    gives: [{ kind: 'folder', noun: 'the path of the new folder', pick: { pattern: 'directory (\\S+)' } }],
  },
  {
    tool: 'files/list_directory',
    phrases: [
      'list what is in the folder {path}',
      'show the entries of the directory {path}',
      'see which files lie in {path}',
    ],
    slots: { path: { kind: 'folder', samples: ['notes', 'data', 'config'] } },
    gives: [],
  },
  {
    tool: 'files/list_directory_with_sizes',
    phrases: [
      'list the folder {path} with the size of each file',
      'find out how large the files in {path} are',
      'show the sizes of everything in the directory {path}',
    ],
    slots: { path: { kind: 'folder', samples: ['data', 'images', 'notes'] } },
    gives: [{ kind: 'text', noun: 'the combined size of the folder', pick: { pattern: 'Combined size: (.+)' } }],
  },
  {
    tool: 'files/directory_tree',
    phrases: [
      'draw the tree of folders below {path}',
      'show the nested structure of the directory {path}',
      'give a recursive overview of {path}',
    ],
    slots: { path: { kind: 'folder', samples: ['archive', 'config', 'images'] } },
    gives: [],
  },
  {
    tool: 'files/move_file',
    phrases: [
      'move the draft {source} to {destination}',
      'rename the draft {source} to {destination}',
      'file the draft {source} away under {destination}',
    ],
    slots: {
      source: { kind: 'draft-file', samples: ['drafts/letter.md', 'drafts/poster.md', 'drafts/menu.md'] },
      destination: { kind: 'new-place', samples: ['archive/final.md', 'notes/finished.md', 'drafts/sent.md'] },
    },
    gives: [{ kind: 'text-file', noun: 'the new place of the draft', pick: { pattern: ' to (\\S+)$' } }],
  },
  {
    tool: 'files/search_files',
    phrases: [
      'search all folders for files named like {pattern}',
      'find every file that matches the glob {pattern}',
      'look everywhere for files of the form {pattern}',
    ],
    slots: { pattern: { kind: 'glob', samples: ['**/*.csv', '**/*.json', '**/*.png', '**/t*.md'] } },
    constants: { path: '.' },
    // The server returns absolute paths; its sandbox is always a folder named `work`.
    gives: [{ kind: 'text-file', noun: 'the first file found', pick: { pattern: '/work/(\\S+)' } }],
  },
  {
    tool: 'files/get_file_info',
    phrases: [
      'look up the size plus permissions of {path}',
      'get the metadata of the file {path}',
      'tell when {path} was last modified',
    ],
    slots: { path: { kind: 'text-file', samples: ['todo.txt', 'data/sales.csv', 'config/printers.json'] } },
    gives: [{ kind: 'integer', noun: 'the file size in bytes', pick: { pattern: 'size: (\\d+)' } }],
  },
  {
    tool: 'files/list_allowed_directories',
    phrases: [
      'tell which directories you may work in',
      'show the folders that are open to us',
      'name the places where files may be changed',
    ],
    slots: {},
    gives: [],
  },
];
