-- The extension is there, in its newest version, and cannot be moved.
SELECT extname, extrelocatable, extversion = default_version AS newest
FROM pg_extension JOIN pg_available_extensions ON name = extname
WHERE extname = 'memory_ext';
