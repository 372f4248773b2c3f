-- The database of Heddle, which the primary creates once.
CREATE ROLE heddle LOGIN PASSWORD 'DATABASE_PASSWORD';
CREATE DATABASE heddle OWNER heddle ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;
