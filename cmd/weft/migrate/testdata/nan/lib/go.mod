module github.com/kak-tus/nan

go 1.26
